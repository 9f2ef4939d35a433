import type { BuildProgress } from "#lib/installation/build-progress";

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem } progress { width: 100%; height: .5rem }`;

/** Returns the page shown during a build; it reloads every 2 s. */
export const startingPage = ({ percent, waitsFor }: BuildProgress): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="2">
<title>Signalbox is starting</title><style>${STYLE}</style></head>
<body><h1>Signalbox is starting</h1>
<p>The first start after an update builds the pages: ${percent}%, ${waitsFor}. This page opens Signalbox when it is done.</p>
<progress max="100" value="${percent}" aria-label="Build"></progress>
<p>Webhooks are answered 503 until then; their senders send them again.</p></body></html>
`;

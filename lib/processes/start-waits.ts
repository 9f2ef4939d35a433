import { createServer, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { PRODUCT_VERSION } from "#lib/config/product";
import { asSentence } from "#lib/contracts/as-sentence";
import { onceAvailable } from "#lib/db/unavailable";
import { waitingReadiness } from "#lib/flows/installation/read-readiness";
import { problem, RETRY_AFTER_S } from "#lib/http/problem";
import { type BuildProgress, ensureBuild, progressWords } from "#lib/installation/build";
import { type Tell, warn } from "./progress.ts";

/** A full disk, and a statement over its limit of half an hour: a person has to end these. */
const FINAL = new Set(["53100", "57014"]);

type DatabaseWait = {
  signal: AbortSignal;
  /** True if this start opens the web process's port: the wait is told there. */
  tellsOnPort: boolean;
};

/** Waits for the database as long as it takes, and says so. @throws Error at once for a wrong password or a full disk */
export async function withDatabase<T>(work: () => Promise<T>, { signal, tellsOnPort }: DatabaseWait): Promise<T> {
  let open: Promise<() => Promise<void>> | undefined;
  try {
    return await onceAvailable(work, {
      signal,
      isFinal: ({ code }) => FINAL.has(code),
      onWait: (reason) => {
        warn(`\n${asSentence(`Waiting for the database: ${reason}`)} Startup continues when it responds.`);
        if (tellsOnPort) open ??= answerWhileWaiting(env().PORT, { waitsFor: () => "the database" });
        open?.catch(() => undefined); // another program took the port: the web process will say so
      },
    });
  } finally {
    await open?.then((close) => close()).catch(() => undefined);
  }
}

/** Builds if needed, and shows progress on the terminal and on the web process's port. */
export async function buildPages(signal: AbortSignal, tell: Tell): Promise<string> {
  let now: BuildProgress = { percent: 0, waitsFor: "compiling" };
  let open: Promise<() => Promise<void>> | undefined;
  const waiting = { waitsFor: () => `the production build (${progressWords(now)})`, page: () => startingPage(now) };
  const onProgress = (progress: BuildProgress) => {
    now = progress;
    tell(progressWords(now));
    open ??= answerWhileWaiting(env().PORT, waiting);
    open.catch(() => undefined); // another program took the port: the web process will say so
  };
  try {
    return await ensureBuild({ signal, onProgress });
  } finally {
    await open?.then((close) => close()).catch(() => undefined);
  }
}

const LIMIT_MS = 90_000;
const SAY_EVERY_MS = 30_000;

/** Waits until a page answers, not only a port; through an outage (503) as long as it takes. @throws Error after 90 s otherwise */
export async function pageAnswers(port: number, signal: AbortSignal): Promise<void> {
  let words = "";
  let saidAt = Number.NEGATIVE_INFINITY;
  for (let end = performance.now() + LIMIT_MS; performance.now() < end && !signal.aborted; await sleep(200)) {
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
      if (status < 500) return;
      words = `it returned ${status}`;
      if (status !== 503) continue;
      end = performance.now() + LIMIT_MS;
      if (performance.now() - saidAt < SAY_EVERY_MS) continue;
      saidAt = performance.now();
      warn("\nWaiting for the database: the first page answers 503. Startup continues when it responds.");
    } catch (error) {
      words = (error as Error).message;
    }
  }
  throw new Error(`The first page does not load: ${words}`);
}

/** `waitsFor`: a clause after "the start waits for". */
type Waiting = {
  waitsFor: () => string;
  page?: () => string;
};

/** Answers on the web process's port while the start waits: whoever watches the port would end it. @returns a function that frees it */
export async function answerWhileWaiting(port: number, waiting: Waiting): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const { status, type, body } = answerTo(request, waiting);
    request.resume();
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", connection: "close", ...retryAfter(status) });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

const retryAfter = (status: number) => (status === 503 ? { "retry-after": String(RETRY_AFTER_S) } : {});

function answerTo({ url = "", method, headers }: IncomingMessage, { waitsFor, page }: Waiting) {
  const [path] = url.split("?");
  if (path === "/health/live") return json(200, "application/json", { status: "live", version: PRODUCT_VERSION });
  if (path === "/health/ready") return json(503, "application/json", waitingReadiness(waitsFor()));
  if (page && method === "GET" && headers.accept?.includes("text/html"))
    return { status: 503, type: "text/html; charset=utf-8", body: page() };
  const words = `The start waits for ${waitsFor()}. Send the request again in a few seconds.`;
  return json(503, "application/problem+json", problem(503, "unavailable", "Signalbox is starting", words));
}

const json = (status: number, type: string, body: object) => ({ status, type, body: JSON.stringify(body) });

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

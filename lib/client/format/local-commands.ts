// Commands of the command line (docs/cli.md), ready to be pasted into a POSIX shell.

const CLI = "npx @signalbox/cli";
/** Where a developer's app listens, until they say otherwise. */
const LOCAL_APP = "http://localhost:4000";

/** Sends one stored event to a local app again. @param origin where Signalbox is */
export const replayCommand = (origin: string, eventId: string): string =>
  `${CLI} replay ${quote(eventId)} --to ${LOCAL_APP} --url ${quote(origin)}`;

/** Hands events on to a local app as they come. */
export const listenCommand = (origin: string): string => `${CLI} listen ${LOCAL_APP} --url ${quote(origin)}`;

const quote = (text: string): string => (/^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

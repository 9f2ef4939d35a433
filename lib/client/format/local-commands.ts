import { commandLinePath } from "#lib/contracts/command-line-package";

/** Default URL of a developer's app. */
const LOCAL_APP = "http://localhost:4000";

/** Commands of the command line (docs/cli.md), ready to be pasted into a POSIX shell. */
export type LocalCommands = {
  /** Sends one stored event to a local app again. */
  replay: (eventId: string) => string;
  /** Hands events on to a local app as they come. */
  listen: string;
};

/**
 * @param origin where Signalbox is; it serves the command itself
 * @param version of Signalbox
 */
export function localCommands(origin: string, version: string): LocalCommands {
  const command = `npx ${quote(origin + commandLinePath(version))}`;
  return {
    replay: (eventId) => `${command} replay ${quote(eventId)} --to ${LOCAL_APP} --url ${quote(origin)}`,
    listen: `${command} listen ${LOCAL_APP} --url ${quote(origin)}`,
  };
}

const quote = (text: string): string => (/^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

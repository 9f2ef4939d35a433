import { commandLinePath } from "#lib/contracts/command-line-package";

const LOCAL_APP = "http://localhost:4000";

/** Commands of the command line (docs/cli.md), quoted for a POSIX shell. */
export type LocalCommands = {
  replay: (eventId: string) => string;
  listen: string;
};

/** `origin` is that of Signalbox, which also serves the command. */
export function localCommands(origin: string, version: string): LocalCommands {
  const command = `npx ${quote(origin + commandLinePath(version))}`;
  return {
    replay: (eventId) => `${command} replay ${quote(eventId)} --to ${LOCAL_APP} --url ${quote(origin)}`,
    listen: `${command} listen ${LOCAL_APP} --url ${quote(origin)}`,
  };
}

const quote = (text: string): string => (/^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

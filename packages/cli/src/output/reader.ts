import { EXIT } from "./exit.ts";

let isNeeded = true;

/** For a command whose work counts without its output: it goes on, and its exit code holds, when nobody reads what it prints any more. */
export function goOnUnread(): void {
  isNeeded = false;
}

/** A reader that has seen enough (`| head -1`) ends the command quietly, or is not missed. */
export function watchReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (isNeeded) process.exit(EXIT.fine);
    });
  }
}

import { EXIT } from "./exit.ts";

let isNeeded = true;

/** For commands that do more than print: they continue, with their exit code, even if nobody reads their output. */
export function goOnUnread(): void {
  isNeeded = false;
}

/** Exits quietly when a reader such as `| head -1` has seen enough. */
export function watchReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (isNeeded) process.exit(EXIT.fine);
    });
  }
}

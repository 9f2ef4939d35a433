import { EXIT } from "./exit.ts";

let isNeeded = true;

/** Lets a command that does more than print continue, with its exit code, even if nobody reads its output. */
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

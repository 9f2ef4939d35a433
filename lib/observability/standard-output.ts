import { write, writeSync } from "node:fs";
import { codeOf } from "./error-code.ts";

const STDOUT = 1;

/** Time after which a reader that takes nothing at the moment is tried again. Milliseconds. */
const RETRY_MS = 50;

/** Time that the end of a process waits for a reader that takes nothing. Milliseconds. */
const MAX_FLUSH_MS = 500;

/**
 * Writes log lines to stdout beside the work, so that a reader that takes nothing holds up no request. Pino's own
 * destination does that too, but at the end of a process it repeats a failed write without end (`flushSync` of
 * sonic-boom 4.2): once its reader has left, the process never exits. This one drops what can't be written.
 */
export class StandardOutput {
  private waiting: string[] = [];
  /** Part of a write that the reader did not take. */
  private rest: Buffer = Buffer.alloc(0);
  private writing = false;
  /** Listens only while there is something to write, so that a logger that is dropped leaves no listener behind. */
  private readonly atExit = () => this.flushSync();

  /** Called by pino for each entry. */
  write(line: string): void {
    this.waiting.push(line);
    if (this.writing) return;
    this.writing = true;
    process.on("exit", this.atExit);
    this.begin();
  }

  /** Writes at once what waits; called at the end of the process, and by pino after an entry of level fatal. */
  flushSync(): void {
    const until = performance.now() + MAX_FLUSH_MS;
    let rest = this.takeWaiting();
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(STDOUT, rest));
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  private begin(): void {
    this.put(this.takeWaiting());
  }

  private put(chunk: Buffer): void {
    write(STDOUT, chunk, (error, written) => {
      if (isBusy(error)) {
        this.rest = chunk; // where the end of the process finds it, if that comes first
        setTimeout(() => this.begin(), RETRY_MS).unref();
      } else if (!error && written < chunk.length) this.put(chunk.subarray(written));
      else if (this.waiting.length > 0) this.begin();
      else {
        this.writing = false;
        process.off("exit", this.atExit);
      }
    });
  }

  private takeWaiting(): Buffer {
    const all = Buffer.concat([this.rest, Buffer.from(this.waiting.splice(0).join(""))]);
    this.rest = Buffer.alloc(0);
    return all;
  }
}

const isBusy = (error: unknown) => codeOf(error) === "EAGAIN";

import { write, writeSync } from "node:fs";
import { codeOf } from "./error-code.ts";

const STDOUT = 1;

/** Time after which a reader that takes nothing at the moment is tried again. Milliseconds. */
const RETRY_MS = 50;

/** Time that the end of a process waits for a reader that takes nothing. Milliseconds. */
const MAX_FLUSH_MS = 500;

/** Bytes that a pipe takes whole or not at all, so that nothing gets in between (PIPE_BUF of Linux, pipe(7)). */
const MAX_WHOLE = 4096;

/**
 * Writes log lines to stdout beside the work, so that a reader that takes nothing holds up no request. Pino's own
 * destination does that too, but at the end of a process it repeats a failed write without end (`flushSync` of
 * sonic-boom 4.2): once its reader has left, the process never exits. This one drops what can't be written.
 *
 * A write that was handed to Node's threads can't be awaited at the end of a process, and may happen in the middle of
 * what the end writes. So a write is begun after the lines of the same turn, and has whole lines that a pipe takes whole.
 */
export class StandardOutput {
  private waiting: string[] = [];
  /** Bytes before the lines that wait: taken from them, or refused by the reader. */
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
    setImmediate(() => this.begin());
  }

  /** Writes at once what waits; called at the end of the process, and by pino after an entry of level fatal. */
  flushSync(): void {
    const until = performance.now() + MAX_FLUSH_MS;
    for (let piece = this.takePiece(); piece.length > 0; piece = this.takePiece()) {
      try {
        this.putBack(piece.subarray(writeSync(STDOUT, piece)));
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) return;
        this.putBack(piece);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  private begin(): void {
    this.put(this.takePiece());
  }

  private put(chunk: Buffer): void {
    write(STDOUT, chunk, (error, written) => {
      if (isBusy(error)) {
        this.putBack(chunk); // where the end of the process finds it, if that comes first
        setTimeout(() => this.begin(), RETRY_MS).unref();
      } else if (!error && written < chunk.length) this.put(chunk.subarray(written));
      else if (this.rest.length > 0 || this.waiting.length > 0) this.begin();
      else {
        this.writing = false;
        process.off("exit", this.atExit);
      }
    });
  }

  /** Takes whole lines of at most `MAX_WHOLE` bytes, or one line that is longer. */
  private takePiece(): Buffer {
    if (this.rest.length === 0) this.rest = Buffer.from(this.waiting.splice(0).join(""));
    let end = this.rest.length;
    if (end > MAX_WHOLE) end = this.rest.lastIndexOf("\n", MAX_WHOLE - 1) + 1 || this.rest.indexOf("\n", MAX_WHOLE) + 1 || end;
    const piece = this.rest.subarray(0, end);
    this.rest = this.rest.subarray(end);
    return piece;
  }

  private putBack(chunk: Buffer): void {
    if (chunk.length > 0) this.rest = Buffer.concat([chunk, this.rest]);
  }
}

const isBusy = (error: unknown) => codeOf(error) === "EAGAIN";

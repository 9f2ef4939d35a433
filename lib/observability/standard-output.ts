import { write, writeSync } from "node:fs";
import { codeOf } from "./error-code.ts";

const STDOUT = 1;

const RETRY_MS = 50;

/** How long the end of a process waits for a busy reader. */
const MAX_FLUSH_MS = 500;

/** Bytes that a pipe takes whole or not at all, so that nothing gets in between (PIPE_BUF of Linux, pipe(7)). */
const MAX_WHOLE = 4096;

/**
 * Writes log lines without blocking requests. Unlike pino's destination it drops what can't be written at the end of a process: `flushSync`
 * of sonic-boom 4.2 repeats a failed write forever if the reader has left. An asynchronous write may happen in the middle of the last
 * lines, so it begins after the lines of the same turn, and has whole lines that a pipe takes whole.
 */
export class StandardOutput {
  private waiting: string[] = [];
  /** Bytes before the waiting lines: taken from them, or refused by the reader. */
  private rest: Buffer = Buffer.alloc(0);
  private writing = false;
  /** Listens only while there is something to write, so that a dropped logger leaves no listener behind. */
  private readonly atExit = () => this.flushSync();

  write(line: string): void {
    this.waiting.push(line);
    if (this.writing) return;
    this.writing = true;
    process.on("exit", this.atExit);
    setImmediate(() => this.begin());
  }

  /** Writes the rest at once; called at the end of the process, and by pino after a fatal entry. */
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
        this.putBack(chunk); // flushSync finds it here if the process ends first
        setTimeout(() => this.begin(), RETRY_MS).unref();
      } else if (!error && written < chunk.length) this.put(chunk.subarray(written));
      else if (this.rest.length > 0 || this.waiting.length > 0) this.begin();
      else {
        this.writing = false;
        process.off("exit", this.atExit);
      }
    });
  }

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

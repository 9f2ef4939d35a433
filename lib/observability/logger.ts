import { write, writeSync } from "node:fs";
import { format, stripVTControlCharacters } from "node:util";
import pino from "pino";
import { env } from "#lib/config/env";
import { once } from "#lib/context/once";
import { printableLines } from "#lib/contracts/api/plain-text";

const REDACTED_FIELDS = [
  "password",
  "secret",
  "token",
  "accessToken",
  "refreshToken",
  "access_token",
  "refresh_token",
  "client_secret",
  "code",
  "code_verifier",
  "authorization",
  "cookie",
  "key",
  "state",
];

/** Writes JSON lines to stdout, pretty on a terminal. Fields that may hold a secret are blanked. Callers must not log bodies or headers. */
export function createLogger(name: string, stream?: pino.DestinationStream): pino.Logger {
  const { LOG_LEVEL } = env();
  const options: pino.LoggerOptions = {
    name,
    level: LOG_LEVEL,
    base: { pid: process.pid },
    serializers: { err: errorFields },
    redact: { paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`]), censor },
  };
  if (stream) return pino(options, stream);
  if (!process.stdout.isTTY) return pino(options, new StandardOutput());
  return pino({ ...options, transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "HH:MM:ss" } } });
}

/** Blanks `code` unless it is an error code: OAuth's authorization code has that name, too. */
const censor = (value: unknown, path: unknown[]) => (path.at(-1) === "code" && isErrorCode(value) ? value : "[redacted]");

export function logger(): pino.Logger {
  return once("logger", () => createLogger("signalbox"));
}

export type LogLines = Record<"info" | "warn" | "error", (words: string) => void>;

/** Makes JSON lines of the framework's console output and Node's warnings, at any LOG_LEVEL: the set-up link is among them. */
export function takeConsole(out: pino.DestinationStream = toDescriptor(1), errors: pino.DestinationStream = toDescriptor(2)): LogLines {
  const options = { name: "signalbox", base: { pid: process.pid }, serializers: { err: errorFields } };
  const log = pino(options, out);
  const last = pino(options, errors);
  const writer =
    (level: "info" | "warn" | "error") =>
    (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const words = stripVTControlCharacters(format(...parts.filter((part) => part !== err))).trim();
      if (err) log[level]({ err }, words || "the framework reports an error");
      else if (words !== "") log[level](words);
    };
  Object.assign(globalThis.console, {
    log: writer("info"),
    info: writer("info"),
    debug: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
  });
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ type: warning.name, code: (warning as NodeJS.ErrnoException).code }, warning.message));
  return { info: (words) => log.info(words), warn: (words) => log.warn(words), error: (words) => last.error(words) };
}

const toDescriptor = (dest: number): pino.DestinationStream => pino.destination({ dest, sync: true });

const GATHERED_MS = 60_000;

type Fields = Readonly<Record<string, string>>;
type Line = Fields | { count: number };

/** Logs events that may happen thousands of times a second: the first one at once, then a count for each cause every minute. */
export class CountedLog {
  private readonly write: (line: Line) => void;
  private readonly gathering = new Map<string, { fields: Fields; count: number }>();

  constructor(write: (line: Line) => void) {
    this.write = write;
  }

  /** Counts one. `fields` tell causes apart and must have few different values. */
  note(fields: Fields): void {
    const cause = JSON.stringify(fields);
    const before = this.gathering.get(cause);
    if (before) {
      before.count += 1;
      return;
    }
    this.write({ ...fields, count: 1 });
    this.gather(cause, fields);
  }

  private gather(cause: string, fields: Fields): void {
    const gathered = { fields, count: 0 };
    this.gathering.set(cause, gathered);
    setTimeout(() => {
      this.gathering.delete(cause);
      if (gathered.count === 0) return;
      this.write({ ...fields, count: gathered.count });
      this.gather(cause, fields);
    }, GATHERED_MS).unref();
  }
}

/** Other fields may hold data of a caller. */
const KEPT_FIELDS = ["code", "syscall", "address", "port", "table", "constraint"] as const;

/** Codes of Node, libuv and undici, and SQLSTATEs: listed words, or far too short to open anything. */
const ERROR_CODE = /^(?:[A-Z0-9]{5}|E[A-Z_]{2,15}|(?:UND_)?ERR_[A-Z0-9_]{1,60})$/;

/** True for an error code; never for an authorization code, which must be hard to guess (RFC 6749 section 10.10). */
const isErrorCode = (value: unknown): boolean => typeof value === "string" && ERROR_CODE.test(value);

export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const kept = KEPT_FIELDS.flatMap((field) => {
    const value = (error as { [name in typeof field]?: unknown })[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { type: error.name, message: error.message, stack: stackOf(error), ...Object.fromEntries(kept) };
}

/** Returns the stack with those of its causes. Printable: foreign text in it must not control a terminal. */
function stackOf(error: Error): string {
  const stack = printableLines(error.stack ?? "");
  return error.cause instanceof Error && error.cause !== error ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack;
}

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
class StandardOutput {
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

type Coded = { code?: unknown; meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null | undefined;

/** Returns an SQLSTATE, thrown by the driver or by Prisma, or a system call's code (`ENOENT`); empty if there is none. */
export function codeOf(error: unknown): string {
  const coded = error as Coded;
  return String(coded?.meta?.driverAdapterError?.cause?.originalCode ?? coded?.code ?? "");
}

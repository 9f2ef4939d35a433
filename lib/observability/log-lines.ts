import { format, stripVTControlCharacters } from "node:util";
import pino from "pino";
import { errorFields } from "./error-fields.ts";

export type LogLines = { info: (words: string) => void; error: (words: string) => void };

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
  return { info: (words) => log.info(words), error: (words) => last.error(words) };
}

const toDescriptor = (dest: number): pino.DestinationStream => pino.destination({ dest, sync: true });

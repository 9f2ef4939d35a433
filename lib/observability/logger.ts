import pino from "pino";
import { env } from "#lib/config/env";
import { once } from "#lib/context/once";
import { errorFields, isErrorCode } from "./error-fields.ts";
import { StandardOutput } from "./standard-output.ts";

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

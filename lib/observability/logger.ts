import pino from "pino";
import { env } from "#lib/config/env";

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

/**
 * One JSON line an entry on stdout, pretty on a terminal. Fields that may hold
 * a secret are blanked by name, at the top and one level down; callers still
 * must not log bodies or headers.
 */
export function createLogger(name: string): pino.Logger {
  const { LOG_LEVEL } = env();
  const options: pino.LoggerOptions = {
    name,
    level: LOG_LEVEL,
    base: { pid: process.pid },
    redact: { paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: "[redacted]" },
  };
  if (!process.stdout.isTTY) return pino(options);
  return pino({ ...options, transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "HH:MM:ss" } } });
}

const shared = globalThis as typeof globalThis & { signalboxLogger?: pino.Logger };

/** The process's own logger, made on first use. */
export function logger(): pino.Logger {
  shared.signalboxLogger ??= createLogger("signalbox");
  return shared.signalboxLogger;
}

import { printableLines } from "#lib/contracts/api/plain-text";

/** Other fields may hold data of a caller. */
const KEPT_FIELDS = ["code", "syscall", "address", "port", "table", "constraint"] as const;

/** Codes of Node, libuv and undici, and SQLSTATEs: listed words, or far too short to open anything. */
const ERROR_CODE = /^(?:[A-Z0-9]{5}|E[A-Z_]{2,15}|(?:UND_)?ERR_[A-Z0-9_]{1,60})$/;

/** True for an error code; never for an authorization code, which must be hard to guess (RFC 6749 section 10.10). */
export const isErrorCode = (value: unknown): boolean => typeof value === "string" && ERROR_CODE.test(value);

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

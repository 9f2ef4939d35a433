import { printableLines } from "#lib/contracts/api/plain-text";

/** Fields of an error that an entry has besides its type, message and stack. Anything else may hold what a caller sent. */
const KEPT_FIELDS = ["code", "syscall", "address", "port", "table", "constraint"] as const;

/** Codes of Node, libuv and undici, and SQLSTATEs: words from a list, or far too short to open anything. */
const ERROR_CODE = /^(?:[A-Z0-9]{5}|E[A-Z_]{2,15}|(?:UND_)?ERR_[A-Z0-9_]{1,60})$/;

/** True for what names a kind of error; never for an authorization code, which must be hard to guess (RFC 6749 section 10.10). */
export const isErrorCode = (value: unknown): boolean => typeof value === "string" && ERROR_CODE.test(value);

/** An error as it is logged. What is no error stays as it is. */
export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const kept = KEPT_FIELDS.flatMap((field) => {
    const value = (error as { [name in typeof field]?: unknown })[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { type: error.name, message: error.message, stack: stackOf(error), ...Object.fromEntries(kept) };
}

/** The stack with those of its causes, outermost first. On a terminal it is shown as it is: what others said in it steers nothing. */
function stackOf(error: Error): string {
  const stack = printableLines(error.stack ?? "");
  return error.cause instanceof Error && error.cause !== error ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack;
}

import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { bodyLimitOf } from "./body-limits.ts";
import { type BodyReading, BoundedBodyReader } from "./bounded-body-reader.ts";
import { announcedLength } from "./raw-body.ts";

const MIB = 1_048_576;
/** Time limit for one body, in milliseconds. */
const BODY_TIMEOUT_MS = 10_000;

/**
 * The process's bounds for bodies that are not webhooks: one for the web
 * process's server, one for the route handlers, which read again what the
 * server has read already.
 */
export function bodyIntake(reader: "server" | "handlers"): BoundedBodyReader {
  const create = () => new BoundedBodyReader({ maxBytes: 32 * MIB, timeoutMs: BODY_TIMEOUT_MS });
  return once("request-bodies", () => ({ server: create(), handlers: create() }))[reader];
}

/**
 * A request's body as text (UTF-8), at most as long as its path takes, however
 * it arrives: with a true, a false or no announced length. Route handlers read
 * bodies by this alone: hosts that run Next without the web process have no
 * other bound.
 *
 * @throws AppError `too_large`, `too_slow`, `overloaded`; `invalid_request` when the sender went away
 */
export async function bodyTextOf(request: Request): Promise<string> {
  const maxBytes = bodyLimitOf(new URL(request.url).pathname);
  const limits = { maxBytes, contentLength: announcedLength(request.headers.get("content-length")) };
  const body = await bodyIntake("handlers").read(request.body, limits, async (reading) => reading);
  if (typeof body === "string") throw bodyError(body, maxBytes);
  return new TextDecoder().decode(body);
}

/** Returns why there is no body, as an error for the caller. */
export function bodyError(reading: Exclude<BodyReading, Uint8Array>, maxBytes: number): AppError {
  switch (reading) {
    case "too_large":
      return new AppError("too_large", `Send at most ${maxBytes / 1024} KB.`);
    case "too_slow":
      return new AppError("too_slow", `Send the whole body within ${BODY_TIMEOUT_MS / 1000} seconds.`);
    case "overloaded":
      return new AppError("overloaded", "Too many requests with a body are in progress. Send it again in a few seconds.");
    case "aborted":
      return new AppError("invalid_request", "The connection ended before the whole body arrived.");
  }
}

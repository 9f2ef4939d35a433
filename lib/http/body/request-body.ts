import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { bodyLimitOf } from "./body-limits.ts";
import { type BodyReading, BoundedBodyReader } from "./bounded-body-reader.ts";
import { announcedLength } from "./raw-body.ts";

const MIB = 1_048_576;
const BODY_TIMEOUT_MS = 10_000;

/** Returns the process's bounds. Route handlers have their own: they read again what the server has read. */
export function bodyIntake(reader: "server" | "handlers"): BoundedBodyReader {
  const create = () => new BoundedBodyReader({ maxBytes: 32 * MIB, timeoutMs: BODY_TIMEOUT_MS });
  return once("request-bodies", () => ({ server: create(), handlers: create() }))[reader];
}

/** Reads a UTF-8 body within its path's limit. Throws AppError. Route handlers read by this only: under plain Next it is the only bound. */
export async function bodyTextOf(request: Request): Promise<string> {
  const maxBytes = bodyLimitOf(new URL(request.url).pathname);
  const limits = { maxBytes, contentLength: announcedLength(request.headers.get("content-length")) };
  const body = await bodyIntake("handlers").read(request.body, limits, async (reading) => reading);
  if (typeof body === "string") throw bodyError(body, maxBytes);
  return new TextDecoder().decode(body);
}

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

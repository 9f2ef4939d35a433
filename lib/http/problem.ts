import { core } from "zod/mini";
import { AppError, ERROR_CODES, type ErrorCode, isAppError, type Problem } from "#lib/contracts/api/app-error";
import { placeOf } from "#lib/contracts/api/rejected-values";
import { isDatabaseUnavailable, unavailabilityOf } from "#lib/db/unavailable";
import { logger } from "#lib/observability/logger";

/** Returns a problem's body (RFC 9457 section 3). `code` is stable and becomes the last part of `type`. */
export function problem(status: number, code: string, title: string, detail?: string, errors?: Problem["errors"]): Problem {
  return { type: `urn:signalbox:problem:${code}`, title, status, code, ...(detail && { detail }), ...(errors && { errors }) };
}

/** Turns any error into a problem. The only place that does so, and that logs it: once. */
export function problemOf(error: unknown): Problem {
  const known = asAppError(error);
  if (known) {
    if (known.status >= 500) {
      const { code, message } = unavailabilityOf(known) ?? {};
      const cause = [code, message].filter(Boolean).join(": ") || undefined;
      logger().error({ problemCode: known.code, reason: known.message, cause }, "answered with an error");
    }
    return problem(known.status, known.code, ERROR_CODES[known.code][1], known.message, known.errors);
  }
  logger().error({ err: error }, "unexpected error");
  return problem(
    500,
    "internal",
    ERROR_CODES.internal[1],
    "It has been logged. Try again; if it happens again, check the log of the web process.",
  );
}

function asAppError(error: unknown): AppError | null {
  if (isAppError(error)) return error;
  if (error instanceof core.$ZodError) return invalidRequest(error);
  if (isDatabaseUnavailable(error))
    return new AppError("unavailable", "The database does not respond. Try again in a few seconds.", { cause: error });
  return null;
}

/** @param sent the value that was parsed, if it is at hand: a place is named as far as it was sent */
export function invalidRequest(error: core.$ZodError, sent?: unknown): AppError {
  const errors = error.issues.map(({ path, message }) => ({ path: placeOf(path, sent) || "(body)", message }));
  return new AppError("invalid_request", errors.map(({ path, message }) => `${path}: ${message}`).join("; "), { errors });
}

export const RETRY_AFTER_S = 5;

export function problemResponse(error: unknown, headers: Record<string, string> = {}): Response {
  const body = problemOf(error);
  const retryAfter =
    (error as { retryAfterSeconds?: number } | null)?.retryAfterSeconds ?? (body.status === 503 ? RETRY_AFTER_S : undefined);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      ...headers,
    },
  });
}

export type { ErrorCode };

import { core } from "zod/mini";
import { AppError, ERROR_CODES, type ErrorCode } from "#lib/contracts/app-error";
import type { Problem } from "#lib/contracts/problem";
import { logger } from "#lib/observability/logger";

/**
 * A problem's body (RFC 9457 section 3).
 *
 * @param code stable; becomes `code` and the last part of `type`
 */
export function problem(status: number, code: string, title: string, detail?: string, errors?: Problem["errors"]): Problem {
  return { type: `urn:signalbox:problem:${code}`, title, status, code, ...(detail && { detail }), ...(errors && { errors }) };
}

/** Turns whatever was thrown into a problem. The only place that does, and that logs it: once. */
export function problemOf(error: unknown): Problem {
  const known = asAppError(error);
  if (known) {
    if (known.status >= 500) logger().error({ problemCode: known.code, reason: known.message }, "answered with an error");
    return problem(known.status, known.code, ERROR_CODES[known.code][1], known.message, known.errors);
  }
  logger().error({ err: error }, "an error nobody expected");
  return problem(
    500,
    "internal",
    ERROR_CODES.internal[1],
    "It has been logged. Try again; if it comes back, look at the log of the web process.",
  );
}

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  // Next bundles its own copy of the class: know it by its name too.
  if (error instanceof Error && error.name === "AppError") return error as AppError;
  if (error instanceof core.$ZodError) return invalidRequest(error);
  if (isConnectionLoss(error))
    return new AppError("unavailable", "The database does not answer. Try again in a few seconds.", { cause: error });
  return null;
}

/** A request that its schema refuses, with one line for each field. */
export function invalidRequest(error: core.$ZodError): AppError {
  const errors = error.issues.map((issue) => ({ path: issue.path.join(".") || "(body)", message: issue.message }));
  return new AppError("invalid_request", errors.map(({ path, message }) => `${path}: ${message}`).join("; "), { errors });
}

const CONNECTION_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "57P01", "57P03", "53300", "P1001", "P1017", "P2024"]);
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CONNECTION_CODES.has(String((error as { code?: unknown }).code)) || /timeout exceeded when trying to connect/.test(error.message);
}

/** The same as a web `Response`. */
export function problemResponse(error: unknown, headers: Record<string, string> = {}): Response {
  const body = problemOf(error);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}

export type { ErrorCode };

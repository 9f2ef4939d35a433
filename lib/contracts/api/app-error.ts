import * as z from "zod/mini";

export const ERROR_CODES = {
  unauthenticated: [401, "Authentication required"],
  forbidden: [403, "Your role does not allow this"],
  origin_mismatch: [403, "Cross-site request rejected"],
  confirmation_required: [403, "Confirm that it's you"],
  sso_confirmation_required: [403, "Confirm that it's you"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  conflict: [409, "Conflict with the current state"],
  invalid_request: [400, "Invalid request"],
  idempotency_in_progress: [409, "The same request is still running"],
  idempotency_outcome_unknown: [409, "The outcome of the first request is unknown"],
  idempotency_answer_lost: [409, "The request succeeded, but its response was not stored"],
  idempotency_mismatch: [422, "This Idempotency-Key was used with a different request"],
  search_too_slow: [422, "The search took too long"],
  search_incomplete: [409, "The search index is being rebuilt"],
  unsupported_media_type: [415, "Content type must be application/json"],
  too_large: [413, "The request body is too large"],
  too_slow: [408, "The request body took too long"],
  overloaded: [503, "Too many requests at once"],
  metrics_token_required: [401, "Metrics require a token"],
  metrics_not_public: [403, "Metrics are not public"],
  too_many_requests: [429, "Too many requests"],
  unavailable: [503, "Temporarily unavailable"],
  internal: [500, "Internal error"],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Error reported to the caller. `detail` is shown to people: what happened and what to do, never a secret, a stack, SQL or a path. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: { path: string; message: string }[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { cause?: unknown; errors?: { path: string; message: string }[]; retryAfterSeconds?: number } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_CODES[code][0];
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const invalidField = (path: string, message: string): AppError =>
  new AppError("invalid_request", `${path}: ${message}`, { errors: [{ path, message }] });

/** Returns what was found. @param what as in "There is no issue with that ID." @throws AppError `not_found` for null and undefined */
export async function expectFound<T>(found: Promise<T> | T, what: string): Promise<NonNullable<T>> {
  const value = await found;
  if (value === null || value === undefined) throw new AppError("not_found", `There is no ${what}.`);
  return value;
}

/** Recognizes errors by name too: Next bundles its own copy of the class, and `instanceof` misses errors of the other copy. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof AppError || (error instanceof Error && error.name === "AppError");

/** Error answer (RFC 9457), `application/problem+json`. `code` is stable; the texts may change. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  code: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problemSchema>;

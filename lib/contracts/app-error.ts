/** The stable codes of errors that reach a caller, with their HTTP status and title. */
export const ERROR_CODES = {
  unauthenticated: [401, "Sign in first"],
  forbidden: [403, "Your role does not allow this"],
  origin_mismatch: [403, "This request comes from another site"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "This address does not take that method"],
  conflict: [409, "This does not fit the present state"],
  invalid_request: [400, "The request is not right"],
  idempotency_in_progress: [409, "The same request is still being worked on"],
  idempotency_mismatch: [422, "This Idempotency-Key came with another request"],
  search_too_slow: [422, "This search takes too long"],
  unsupported_media_type: [415, "Send application/json"],
  too_many_requests: [429, "Too many requests"],
  unavailable: [503, "Not available just now"],
  internal: [500, "An error on our side"],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * An outcome that a caller is told about. `detail` is shown to people: say what
 * happened and what to do, never a secret, a stack, SQL or a path.
 */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: { path: string; message: string }[] | undefined;

  constructor(code: ErrorCode, detail: string, options: { cause?: unknown; errors?: { path: string; message: string }[] } = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_CODES[code][0];
    this.errors = options.errors;
  }
}

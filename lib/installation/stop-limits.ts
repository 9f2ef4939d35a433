/**
 * How long each part of a stop may take, in milliseconds, from the inside out;
 * each line allows time for the one above it (docs/decisions/0032). A stop must not
 * cut a token refresh between the platform's answer and the commit: the platform
 * has rotated the refresh token by then, and the only copy is in memory.
 */
export const STOP_LIMITS = {
  /** A request to the platform's token endpoint that is in flight when the stop begins, the answer read. */
  tokenRequest: 5000,
  /** Storing what it answered, tries after the first included. */
  tokenWrite: 2000,
  /** The current work: rounds of the loops, scheduled jobs, requests of the web process. At least tokenRequest + tokenWrite. */
  work: 7000,
  /** Sending the spans that wait, after the work. */
  traces: 400,
  /** A process that was asked to stop exits on its own: it finishes its work, then closes its database connections. */
  process: 7700,
  /** The supervisor kills a process that is still there. */
  kill: 8000,
  /** The supervisor itself exits, the built-in database stopped. The contract says 10 s. */
  everything: 9800,
} as const;

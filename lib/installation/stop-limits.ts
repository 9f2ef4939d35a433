/**
 * Time limit of each part of a stop, in milliseconds from its begin
 * (docs/decisions/0032). A stop must not cut a token request before its answer
 * is on disk: the platform has rotated the refresh token by then, and
 * the only copy is in memory.
 */
export const STOP_LIMITS = {
  /** The current work: rounds of the loops, scheduled jobs, requests of the web process. */
  work: 7000,
  /** From here on only what holds tokens goes on: the supervisor begins to stop the built-in database. */
  database: 8000,
  /** A request to the platform's token endpoint that is in flight when the stop begins, what it answers sealed on disk. */
  token: 9300,
  /** A process that was asked to stop exits on its own, the spans that wait sent and its database connections closed. */
  process: 9500,
  /** The supervisor kills a process that is still there. */
  kill: 9600,
  /** The supervisor itself exits, the built-in database stopped. The contract says 10 s. */
  everything: 9800,
  /** Sending the spans that wait, after the work: a time of its own, not counted from the begin. */
  traces: 400,
} as const;

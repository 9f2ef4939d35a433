/** Milliseconds from the start of a stop (docs/decisions/0032). A token request that is cut loses the only copy of a rotated token. */
export const STOP_LIMITS = {
  /** Rounds of the loops, scheduled jobs, requests of the web process. */
  work: 7000,
  /** From here on only what holds tokens goes on; the built-in database begins to stop. */
  database: 8000,
  /** A token request in flight, its answer sealed on disk. */
  token: 9300,
  /** A process exits on its own: spans sent, database connections closed. */
  process: 9500,
  /** The supervisor kills a process that is still there. */
  kill: 9600,
  /** The supervisor exits, the built-in database stopped. The contract says 10 s. */
  everything: 9800,
  /** Sending spans after the work: not counted from the start. */
  traces: 400,
} as const;

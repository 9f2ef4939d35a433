const JITTER = 0.2;
/** No answer makes us wait longer. */
export const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Returns how long to wait before the next attempt: what the schedule says with a jitter of 20% either way, or what the answer
 * asked for (`Retry-After`, RFC 9110 section 10.2.3), between the schedule's own wait and 24 hours.
 *
 * @param baseMs the schedule's own wait
 * @param retryAfterMs what the answer asked for; null for nothing
 * @param random between 0 and 1
 * @returns milliseconds
 */
export function retryWait(baseMs: number, retryAfterMs: number | null, random: number): number {
  const jittered = baseMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(retryAfterMs === null ? jittered : Math.min(Math.max(retryAfterMs, baseMs), MAX_WAIT_MS));
}

/**
 * Returns the wait after a failed try, in milliseconds: the first one, then `factor` times the one before, up to a limit.
 *
 * @param tries that failed so far, 1 or more
 */
export const growingWait = (tries: number, { firstMs, maxMs, factor = 2 }: { firstMs: number; maxMs: number; factor?: number }): number =>
  Math.min(firstMs * factor ** (tries - 1), maxMs);

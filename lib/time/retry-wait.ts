const JITTER = 0.2;
/** No answer makes us wait longer. */
export const MAX_WAIT_MS = 24 * 3_600_000;

/** Returns milliseconds: `baseMs` with 20% jitter, or Retry-After (RFC 9110 section 10.2.3) between `baseMs` and 24 hours. */
export function retryWait(baseMs: number, retryAfterMs: number | null, random: number): number {
  const jittered = baseMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(retryAfterMs === null ? jittered : Math.min(Math.max(retryAfterMs, baseMs), MAX_WAIT_MS));
}

/** Returns milliseconds: `firstMs` after the first failure, then `factor` times the previous wait, up to `maxMs`. */
export const growingWait = (tries: number, { firstMs, maxMs, factor = 2 }: { firstMs: number; maxMs: number; factor?: number }): number =>
  Math.min(firstMs * factor ** (tries - 1), maxMs);

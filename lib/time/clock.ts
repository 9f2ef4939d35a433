/** Time as a part of the process reads it: handed in, so that a test moves it. */
export type Clock = {
  /** Milliseconds since 1970, which the operating system may correct in either direction. */
  now: () => number;
  /** Milliseconds, with fractions, that never go back; only their differences mean something. */
  elapsed: () => number;
};

/** The process's own clocks. */
export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/**
 * Measures a time for which something is relied on: by both clocks, the longer counts. While a machine is suspended, the one that
 * never goes back stands still; the other may be set back.
 *
 * @returns the milliseconds since this call
 */
export function timeSince({ now, elapsed }: Clock): () => number {
  const [sinceNow, sinceElapsed] = [now(), elapsed()];
  return () => Math.max(now() - sinceNow, elapsed() - sinceElapsed);
}

/** Returns a clock that shows the time and never goes back: the time of this call, and what has passed since. */
export function steadyClock({ now, elapsed }: Clock = systemClock): () => number {
  const since1970 = now() - elapsed();
  return () => since1970 + elapsed();
}

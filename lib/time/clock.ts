export type Clock = {
  /** Milliseconds since 1970, which the operating system may correct in either direction. */
  now: () => number;
  /** Milliseconds with fractions that never go back; only differences have a meaning. */
  elapsed: () => number;
};

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** Measures milliseconds by the longer of both clocks: one stops while the machine is suspended, the other may be set back. */
export function timeSince({ now, elapsed }: Clock): () => number {
  const [sinceNow, sinceElapsed] = [now(), elapsed()];
  return () => Math.max(now() - sinceNow, elapsed() - sinceElapsed);
}

/** Returns a clock that never goes back: the time of this call plus the time since. */
export function steadyClock({ now, elapsed }: Clock = systemClock): () => number {
  const since1970 = now() - elapsed();
  return () => since1970 + elapsed();
}

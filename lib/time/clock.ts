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

type Sign = { id: string; seenAt: Date; silentMs: number };

/** Watches for how long others are silent that sign by the database's clock: it may be set a day ahead or back between two looks. */
export class Silences {
  private lookedAt = 0;
  private known = new Map<string, Sign>();

  /** Returns the signs, with the silence that this process's own clock shows where it has seen them before. */
  look<T extends Sign>(signs: readonly T[], { elapsed }: Pick<Clock, "elapsed"> = systemClock): T[] {
    const passedMs = elapsed() - this.lookedAt;
    const seen = signs.map((sign) => ({ ...sign, silentMs: silenceOf(sign, this.known.get(sign.id), passedMs) }));
    this.lookedAt = elapsed();
    this.known = new Map(seen.map((sign) => [sign.id, sign]));
    return seen;
  }
}

function silenceOf({ seenAt, silentMs }: Sign, before: Sign | undefined, passedMs: number): number {
  if (!before || seenAt < before.seenAt) return silentMs;
  return seenAt > before.seenAt ? Math.min(silentMs, passedMs) : before.silentMs + passedMs;
}

/** Returns a clock that never goes back: the time of this call plus the time since. */
export function steadyClock({ now, elapsed }: Clock = systemClock): () => number {
  const since1970 = now() - elapsed();
  return () => since1970 + elapsed();
}

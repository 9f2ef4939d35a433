import type { Clock } from "#lib/time/clock";

const MINUTE_MS = 60_000;
/** Counts gather for so long before they are written: a flood costs one statement in this time. Milliseconds. */
const GATHER_MS = 2000;
/** After a failure the next try is no later than this. Milliseconds. */
const MAX_PAUSE_MS = 30_000;
/** Pairs of a source and a minute that may wait while the database is away; the rest is not counted. */
const MAX_WAITING = 10_000;

/** Counts of a source in a minute. */
export type MinuteCount<Name extends string> = { source: string; minute: Date; counts: Record<Name, number> };

type Dependencies<Name extends string> = { write: (counts: MinuteCount<Name>[]) => Promise<void>; clock: Pick<Clock, "now"> };

/** Counts requests by source and minute in memory, and writes them beside: a request costs no query of its own. */
export class MinuteCounter<Name extends string> {
  private readonly waiting = new Map<string, MinuteCount<Name>>();
  private readonly write: Dependencies<Name>["write"];
  private readonly clock: Dependencies<Name>["clock"];
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = GATHER_MS;

  constructor({ write, clock }: Dependencies<Name>) {
    this.write = write;
    this.clock = clock;
  }

  /**
   * Counts one request.
   *
   * @param maxWaiting a source and minute that don't wait yet are left out once so many wait
   */
  note(source: string, counts: Record<Name, number>, maxWaiting = MAX_WAITING): void {
    const at = Math.floor(this.clock.now() / MINUTE_MS) * MINUTE_MS;
    this.add({ source, minute: new Date(at), counts }, maxWaiting);
    this.writeLater();
  }

  /** Writes what has gathered. What can't be written waits, and is tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = [...this.waiting.values()];
    this.waiting.clear();
    if (counts.length === 0) return;
    try {
      await this.write(counts);
      this.pauseMs = GATHER_MS;
    } catch {
      for (const count of counts) this.add(count, MAX_WAITING);
      this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
      this.writeLater();
    }
  }

  private writeLater(): void {
    this.timer ??= setTimeout(() => void this.flush(), this.pauseMs).unref();
  }

  private add(count: MinuteCount<Name>, maxWaiting: number): void {
    const key = `${count.source} ${count.minute.getTime()}`;
    const had = this.waiting.get(key);
    if (!had && this.waiting.size >= maxWaiting) return;
    this.waiting.set(key, had ? { ...had, counts: sum(had.counts, count.counts) } : count);
  }
}

function sum<Name extends string>(a: Record<Name, number>, b: Record<Name, number>): Record<Name, number> {
  const total = { ...a };
  for (const name in b) total[name] += b[name];
  return total;
}

/** In the order of their keys, so that two processes that write them never wait for each other in a circle. */
export const inKeyOrder = <Name extends string>(counts: MinuteCount<Name>[]): MinuteCount<Name>[] =>
  counts.toSorted((a, b) => a.source.localeCompare(b.source) || a.minute.getTime() - b.minute.getTime());

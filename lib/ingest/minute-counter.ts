import { randomUUID } from "node:crypto";
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

type Batch<Name extends string> = { id: string; counts: MinuteCount<Name>[] };

type Dependencies<Name extends string> = {
  /** Adds counts. @param batch their UUID: they may have been added already where the answer was lost */
  write: (counts: MinuteCount<Name>[], batch: string) => Promise<void>;
  clock: Pick<Clock, "now">;
};

/** Counts requests by source and minute in memory, and writes them beside: a request costs no query of its own. */
export class MinuteCounter<Name extends string> {
  private readonly waiting = new Map<string, MinuteCount<Name>>();
  /** The counts that were written without an answer: they are written again as they are. */
  private unanswered: Batch<Name> | null = null;
  private flushing: Promise<void> | null = null;
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
    this.writeLater();
    const key = `${source} ${at}`;
    const had = this.waiting.get(key);
    if (!had && this.waiting.size >= maxWaiting) return;
    this.waiting.set(key, { source, minute: new Date(at), counts: had ? sum(had.counts, counts) : counts });
  }

  /** Writes what has gathered until now. What can't be written waits, and is tried again. */
  async flush(): Promise<void> {
    await this.flushing; // it may have begun before the latest came
    await this.begin();
  }

  /** Joins what is being written; else writes. */
  private begin(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing ??= this.writeWaiting().finally(() => {
      this.flushing = null;
      if (this.unanswered !== null || this.waiting.size > 0) this.writeLater();
    });
    return this.flushing;
  }

  private async writeWaiting(): Promise<void> {
    try {
      await this.writeBatch();
      if (this.waiting.size > 0) this.unanswered = { id: randomUUID(), counts: [...this.waiting.values()] };
      this.waiting.clear();
      await this.writeBatch();
      this.pauseMs = GATHER_MS;
    } catch {
      this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  private async writeBatch(): Promise<void> {
    if (this.unanswered === null) return;
    await this.write(this.unanswered.counts, this.unanswered.id);
    this.unanswered = null;
  }

  private writeLater(): void {
    this.timer ??= setTimeout(() => void this.begin(), this.pauseMs).unref();
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

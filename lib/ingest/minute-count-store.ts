import { randomUUID } from "node:crypto";
import type pg from "pg";
import { arraysOf } from "#lib/db/columns";
import type { Clock } from "#lib/time/clock";

const MINUTE_MS = 60_000;
/** Time that counts gather before they are written, so that a flood costs one statement. Milliseconds. */
const GATHER_MS = 2000;
/** The longest pause after failures. Milliseconds. */
const MAX_PAUSE_MS = 30_000;
/** Pairs of a source and a minute that may wait while the database is away; the rest is not counted. */
const MAX_WAITING = 10_000;

type MinuteCount<Name extends string> = { source: string; minute: Date; counts: Record<Name, number> };

type Batch<Name extends string> = { id: string; counts: MinuteCount<Name>[] };

type Dependencies<Name extends string> = {
  /** @param batch UUID of the counts: they may have been added already where the answer was lost */
  write: (counts: MinuteCount<Name>[], batch: string) => Promise<void>;
  clock: Pick<Clock, "now">;
};

/** Counts requests by source and minute in memory and writes them in the background: a request costs no query of its own. */
export class MinuteCounter<Name extends string> {
  private readonly waiting = new Map<string, MinuteCount<Name>>();
  /** Counts that were written without an answer: they are written again unchanged. */
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

  /** @param maxWaiting a new pair of source and minute is left out once this many wait */
  note(source: string, counts: Record<Name, number>, maxWaiting = MAX_WAITING): void {
    const at = Math.floor(this.clock.now() / MINUTE_MS) * MINUTE_MS;
    this.writeLater();
    const key = `${source} ${at}`;
    const had = this.waiting.get(key);
    if (!had && this.waiting.size >= maxWaiting) return;
    this.waiting.set(key, { source, minute: new Date(at), counts: had ? sum(had.counts, counts) : counts });
  }

  /** Writes the counts until now. Those that can't be written wait, and are tried again. */
  async flush(): Promise<void> {
    await this.flushing; // it may have begun before the latest came
    await this.begin();
  }

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

/** Sorts by key, so that two processes that write can't deadlock. */
const inKeyOrder = <Name extends string>(counts: MinuteCount<Name>[]): MinuteCount<Name>[] =>
  counts.toSorted((a, b) => a.source.localeCompare(b.source) || a.minute.getTime() - b.minute.getTime());

/** Requests to a source, by name, that were answered 503 (`unavailable`) and 429 (`limited`). */
export type OutageCount = MinuteCount<"unavailable" | "limited">;

export type RejectionCount = MinuteCount<"rejected" | "kept">;

const ADD_OUTAGES = `WITH batch AS (INSERT INTO minute_batches (id) VALUES ($5) ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO outage_minutes AS m (source_id, minute, workspace_id, unavailable, limited)
  SELECT s.id, u.minute, s.workspace_id, u.one, u.other
    FROM batch CROSS JOIN unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[]) WITH ORDINALITY AS u (source, minute, one, other, n)
    JOIN sources s ON s.name = u.source ORDER BY u.n
  ON CONFLICT (source_id, minute) DO UPDATE
    SET unavailable = m.unavailable + excluded.unavailable, limited = m.limited + excluded.limited`;

const ADD_REJECTIONS = `WITH batch AS (INSERT INTO minute_batches (id) VALUES ($5) ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO rejection_minutes AS m (source_id, minute, workspace_id, rejected, kept)
  SELECT s.id, u.minute, s.workspace_id, u.one, u.other
    FROM batch CROSS JOIN unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[]) WITH ORDINALITY AS u (source, minute, one, other, n)
    JOIN sources s ON s.id = u.source ORDER BY u.n
  ON CONFLICT (source_id, minute) DO UPDATE SET rejected = m.rejected + excluded.rejected, kept = m.kept + excluded.kept`;

/** Leaves out names that no source has: they can't be checked while the database is away. */
export const addOutages = (from: pg.Pool, counts: OutageCount[], batch: string): Promise<void> =>
  add(from, ADD_OUTAGES, batch, counts, ["unavailable", "limited"]);

export const addRejections = (from: pg.Pool, counts: RejectionCount[], batch: string): Promise<void> =>
  add(from, ADD_REJECTIONS, batch, counts, ["rejected", "kept"]);

/** Adds a batch once, even if it was written before and the answer was lost. */
async function add<Name extends string>(
  from: pg.Pool,
  text: string,
  batch: string,
  counts: MinuteCount<Name>[],
  [one, other]: readonly [Name, Name],
): Promise<void> {
  const ordered = inKeyOrder(counts);
  await from.query(text, [
    ...arraysOf(ordered, "source", "minute"),
    ordered.map(({ counts }) => counts[one]),
    ordered.map(({ counts }) => counts[other]),
    batch,
  ]);
}

import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Clock } from "#lib/time/clock";
import type { RejectionCount } from "./rejection-count-store.ts";

const MINUTE_MS = 60_000;
/** Counts gather for so long before they are written: a flood costs one statement in this time. */
const GATHER_MS = 2000;
/** Source and minute pairs that may wait while the database is away; the rest is not counted. */
const MAX_WAITING = 10_000;

type Dependencies = { write: (counts: RejectionCount[]) => Promise<void>; clock: Pick<Clock, "now"> };
type Source = { id: SourceId; workspaceId: WorkspaceId };

/** Counts rejected requests by source and minute, kept or not: what is not kept leaves no other trace. */
export class RejectionCounter {
  private readonly waiting = new Map<string, RejectionCount>();
  private readonly write: Dependencies["write"];
  private readonly clock: Dependencies["clock"];
  private timer: NodeJS.Timeout | undefined;

  constructor({ write, clock }: Dependencies) {
    this.write = write;
    this.clock = clock;
  }

  /** Counts one request. Costs no query of its own. */
  note({ id: sourceId, workspaceId }: Source, kept: boolean): void {
    const at = Math.floor(this.clock.now() / MINUTE_MS) * MINUTE_MS;
    this.add({ sourceId, workspaceId, minute: new Date(at), rejected: 1, kept: kept ? 1 : 0 });
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  /** Writes what has gathered. What can't be written waits for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = [...this.waiting.values()];
    this.waiting.clear();
    if (counts.length === 0) return;
    await this.write(counts).catch(() => counts.forEach((count) => void this.add(count)));
  }

  private add(count: RejectionCount): void {
    const key = `${count.sourceId} ${count.minute.getTime()}`;
    const had = this.waiting.get(key);
    if (!had && this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(key, had ? { ...had, rejected: had.rejected + count.rejected, kept: had.kept + count.kept } : count);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import { findSafeEnd, readLogAfter, readLogBefore, type ScannedEvent } from "#lib/events/log-scan-store";
import { readEnvelope } from "#lib/platform/envelope";
import { FoldBuffer } from "#lib/views/fold-buffer";
import { planEvent, type Touch } from "#lib/views/plan";
import { mergeIntoShadow } from "#lib/views/shadow-store";
import { insertTaskMoves } from "#lib/views/task-move-store";
import { moveOf, type TaskMove } from "#lib/views/task-moves";

const BATCH = 500;

type FoldOptions = {
  signal: AbortSignal;
  /** Called after each batch with the number of events folded so far. */
  onProgress: (folded: number) => void;
  /** How long to rest after each batch, as a share of the time that it took. */
  rest: number;
};

/**
 * Folds a workspace's log into the shadow of its views and of its tasks' moves while events flow in. Folding
 * commutes, so the order of reading is free; what matters is that each event is
 * read once. First comes everything that transactions before a safe end
 * appended, then batch by batch what later ones did, by (transaction, sequence):
 * what commits late is not passed over.
 */
export class LogFold {
  folded = 0;
  private readonly buffer = new FoldBuffer();
  private readonly moves: TaskMove[] = [];
  private stepStarted = 0;
  private cursor = { xid: "0", seq: 0 };
  private readonly client: pg.PoolClient;
  private readonly workspaceId: WorkspaceId;
  private readonly options: FoldOptions;

  constructor(client: pg.PoolClient, workspaceId: WorkspaceId, options: FoldOptions) {
    this.client = client;
    this.workspaceId = workspaceId;
    this.options = options;
  }

  /** Everything up to now, or less when the signal aborts. */
  async run(): Promise<void> {
    const end = await findSafeEnd(this.client);
    let last: ScannedEvent | null = null;
    do {
      const events: ScannedEvent[] = await this.step(() => readLogBefore(this.client, this.workspaceId, end, last, BATCH));
      last = events.at(-1) ?? null;
      await this.pause();
    } while (last && !this.options.signal.aborted);
    this.cursor = { xid: end, seq: 0 };
    await this.follow(() => findSafeEnd(this.client));
  }

  /** What came since, to the end of what the transaction in hand can see: whole, whatever the signal says. */
  async finish(): Promise<void> {
    await this.follow(async () => null);
    await this.flush();
  }

  private async follow(findEnd: () => Promise<string | null>): Promise<void> {
    let events: ScannedEvent[];
    do {
      const end = await findEnd();
      events = await this.step(() => readLogAfter(this.client, this.workspaceId, this.cursor, end, BATCH));
      this.cursor = events.at(-1) ?? this.cursor;
    } while (events.length === BATCH);
  }

  private async step(read: () => Promise<ScannedEvent[]>): Promise<ScannedEvent[]> {
    this.stepStarted = performance.now();
    const events = await read();
    for (const event of events) this.take(event);
    if (this.buffer.full) await this.flush();
    this.folded += events.length;
    this.options.onProgress(this.folded);
    return events;
  }

  /** Leaves the machine to others for a share of the time that the last batch took. */
  private async pause(): Promise<void> {
    const { rest, signal } = this.options;
    const ms = (performance.now() - this.stepStarted) * rest;
    if (ms >= 1) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  private take(event: ScannedEvent): void {
    const touches = touchesOf(event);
    this.buffer.add(touches, event.body.length);
    this.moves.push(...touches.flatMap((touch) => moveOf(this.workspaceId, touch) ?? []));
  }

  private async flush(): Promise<void> {
    await mergeIntoShadow(this.client, this.workspaceId, this.buffer.drain());
    await insertTaskMoves(this.client, this.moves.splice(0), "task_moves_shadow");
  }
}

/** What an event does to the views; one that can't be read or applied does nothing. */
export function touchesOf(event: { eventId: string; type: string; created: number; body: Buffer }): Touch[] {
  const reading = readEnvelope(event.body);
  if (reading.outcome !== "envelope") return [];
  const plan = planEvent({ ...event, data: reading.envelope.data });
  return plan.outcome === "touches" ? plan.touches : [];
}

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { findLogHorizon } from "#lib/events/log/horizon-store";
import { type EventRefs, insertRefs } from "#lib/events/log/resource-log-store";
import { type LogPosition, readLogAfter, readLogBefore, type ScannedEvent } from "#lib/events/log/scan-store";
import { planDelivery, type Stored } from "#lib/flows/processing/plan-delivery";
import type { SourceReadings } from "#lib/platform/read-event";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import type { Touch } from "#lib/views/fold/plan";
import { moveOf, type TaskMove } from "#lib/views/fold/task-moves";
import { insertTaskMoves } from "#lib/views/pipeline-store";
import { mergeIntoShadow } from "#lib/views/shadow-store";

const BATCH = 500;

type FoldOptions = {
  signal: AbortSignal;
  onProgress: (folded: number) => void;
  /** Pause after each batch, as a share of the time that it took. */
  rest: number;
  readings: SourceReadings;
  /** Sources whose events are filed again under the records that they name: a mapping may name others than before. */
  refile: ReadonlySet<string>;
};

/** Folds a workspace's log into the shadow while events flow in. Folding commutes, so all that matters is that each event is read once:
 * first everything below the horizon, then later events by (position, sequence). An event beyond the horizon does not move the cursor:
 * one that commits late, with a lower position, is not passed over. */
export class LogFold {
  folded = 0;
  private readonly buffer = new FoldBuffer();
  private readonly moves: TaskMove[] = [];
  private readonly refs: EventRefs[] = [];
  private stepStarted = 0;
  private cursor: LogPosition = { xid: "0", seq: 0 };
  /** Folded events beyond the cursor: a later pass meets them again. */
  private readonly foldedBeyond = new Set<number>();
  private readonly client: pg.PoolClient;
  private readonly workspaceId: WorkspaceId;
  private readonly options: FoldOptions;

  constructor(client: pg.PoolClient, workspaceId: WorkspaceId, options: FoldOptions) {
    this.client = client;
    this.workspaceId = workspaceId;
    this.options = options;
  }

  /** Folds everything up to now, or less when the signal aborts. */
  async run(): Promise<void> {
    const end = await findLogHorizon(this.client);
    let last: ScannedEvent | null = null;
    do {
      const events: ScannedEvent[] = await this.step(() => readLogBefore(this.client, this.workspaceId, end, last, BATCH));
      last = events.at(-1) ?? null;
      await insertRefs(this.client, this.refs.splice(0));
      await this.pause();
    } while (last && !this.options.signal.aborted);
    this.cursor = { xid: end, seq: 0 };
    await this.follow(() => findLogHorizon(this.client));
  }

  /** Folds to the end of what the transaction can see, whatever the signal says. The cursor stops at the horizon: behind what is visible
   * beyond it, an open transaction may still commit. */
  async finish(): Promise<void> {
    const horizon = await findLogHorizon(this.client);
    await this.follow(async () => horizon);
    let last: LogPosition = this.cursor;
    let page: { events: ScannedEvent[]; more: boolean };
    do {
      page = await readLogAfter(this.client, this.workspaceId, last, null, BATCH);
      const { events } = page;
      await this.step(async () => events);
      for (const { seq } of events) this.foldedBeyond.add(seq);
      last = events.at(-1) ?? last;
    } while (page.more);
    await this.flush();
  }

  private async follow(findEnd: () => Promise<string>): Promise<void> {
    let page: { events: ScannedEvent[]; more: boolean };
    do {
      const end = await findEnd();
      page = await readLogAfter(this.client, this.workspaceId, this.cursor, end, BATCH);
      const { events } = page;
      await this.step(async () => events);
      for (const { seq } of events) this.foldedBeyond.delete(seq);
      this.cursor = events.at(-1) ?? this.cursor;
    } while (page.more);
  }

  private async step(read: () => Promise<ScannedEvent[]>): Promise<ScannedEvent[]> {
    this.stepStarted = performance.now();
    const events = await read();
    const fresh = events.filter(({ seq }) => !this.foldedBeyond.has(seq));
    for (const event of fresh) this.take(event);
    if (this.buffer.full) await this.flush();
    this.folded += fresh.length;
    this.options.onProgress(this.folded);
    return events;
  }

  private async pause(): Promise<void> {
    const { rest, signal } = this.options;
    const ms = (performance.now() - this.stepStarted) * rest;
    if (ms >= 1) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  private take(event: ScannedEvent): void {
    const { plan } = planDelivery(event, this.options.readings);
    if (plan.outcome !== "touches") return;
    const { touches, refs } = plan;
    this.buffer.add(touches, event.body.length);
    const { receivedAt, seq, sourceId } = event;
    // Events stored since the start are filed by the workers, with the present mapping.
    if (this.cursor.xid === "0" && this.options.refile.has(sourceId))
      this.refs.push({ workspaceId: this.workspaceId, receivedAt, seq, refs });
    this.moves.push(...touches.flatMap((touch) => moveOf(this.workspaceId, touch) ?? []));
  }

  private async flush(): Promise<void> {
    await mergeIntoShadow(this.client, this.workspaceId, this.buffer.drain());
    await insertTaskMoves(this.client, this.moves.splice(0), "task_moves_shadow");
  }
}

/** Returns what an event does to the views: nothing, if it can't be read or applied. */
export function touchesOf(event: Stored, readings: SourceReadings): Touch[] {
  const { plan } = planDelivery(event, readings);
  return plan.outcome === "touches" ? plan.touches : [];
}

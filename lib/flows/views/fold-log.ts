import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { goneBefore } from "#lib/contracts/events/retention-month";
import type { ViewKind } from "#lib/contracts/views";
import { inTransaction, pool } from "#lib/db/pool";
import { findLogHorizon } from "#lib/events/log/event-lookup-store";
import { type EventRefs, insertRefs } from "#lib/events/log/resource-log-store";
import { findLogBegin, findPresent, type LogPosition, readLogAfter, readLogBefore, type ScannedEvent } from "#lib/events/log/scan-store";
import type { ExpiredEvent } from "#lib/events/retention-store";
import { planDelivery, type Stored } from "#lib/flows/processing/plan-delivery";
import type { SourceReadings } from "#lib/platform/read-event";
import { findReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/waits";
import { type Base, BaseFold } from "#lib/views/base";
import {
  adoptNew,
  hasBases,
  listRecords,
  listWithoutBases,
  lockBases,
  mergeIntoBases,
  saveBasesSince,
  type WithoutBases,
} from "#lib/views/base-store";
import { moveOf, type TaskMove } from "#lib/views/fold/fold";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import type { Touch } from "#lib/views/fold/plan";
import { insertTaskMoves } from "#lib/views/pipeline-store";
import { mergeIntoShadow } from "#lib/views/shadow-store";
import type { KeptView } from "#lib/views/stored-record";

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

const PAGE = 500;
/** No policy is shorter. */
const LEAST_DAYS = 7;

/** Field of the event with which a record begins. While the log has that event, none before it has left. */
const BEGINS: Partial<Record<ViewKind, string>> = {
  document: "uploadedAt",
  task: "createdAt",
  run: "startedAt",
  pipeline: "firstSeenAt",
};

/** Makes bases, once for each workspace, of fields whose events left the log before bases were kept; their earlier values are unknown. */
export async function adoptBases(now: Date, only: WorkspaceId | null = null): Promise<void> {
  await adoptNew();
  for (const workspace of await listWithoutBases(only)) await adopt(workspace, now);
}

async function adopt(workspace: WithoutBases, now: Date): Promise<void> {
  const { workspaceId, createdAt } = workspace;
  const expired = await inTransaction(pool("worker"), async (client) =>
    hasExpired(workspace, await findLogBegin(client, workspaceId), now),
  );
  // Within the shortest policy nothing has left.
  const young = createdAt >= goneBefore(LEAST_DAYS, now);
  let after: KeptView | null = young ? null : { kind: "document", id: "", registers: {} };
  while (after) {
    const from: KeptView = after;
    after = await inTransaction(pool("worker"), async (client) => {
      await lockBases(client);
      // Another process may have come first, and events may have left the log since.
      if (await hasBases(client, workspaceId)) return null;
      const records = await listRecords(client, workspaceId, from, PAGE);
      await mergeIntoBases(client, workspaceId, await basesOf(client, workspaceId, records, expired));
      return records.at(-1) ?? null;
    });
  }
  await saveBasesSince(workspaceId);
}

/** True if events of the first month may have left: the policy has let go of them, or they are not there. */
function hasExpired({ createdAt, retentionDays }: WithoutBases, logBegins: Date | null, now: Date): boolean {
  const first = goneBefore(0, createdAt);
  return goneBefore(retentionDays, now) > first || logBegins === null || goneBefore(0, logBegins) > first;
}

/** Counts a field's event as gone when the log has no key of it, whatever its time: rows stay without keys until their partition goes.
 * @param expired whether events may have left of which no field tells */
async function basesOf(client: pg.PoolClient, workspaceId: WorkspaceId, records: KeptView[], expired: boolean): Promise<Base[]> {
  const ids = records.flatMap(({ registers }) => Object.values(registers).map(({ id }) => id));
  const present = await findPresent(client, workspaceId, [...new Set(ids)]);
  return records.flatMap(({ kind, id, registers }) => {
    const entries = Object.entries(registers);
    const gone = entries.filter(([, register]) => !present.has(register.id));
    const begins = registers[BEGINS[kind] ?? ""];
    if (entries.length === 0 || (gone.length === 0 && (begins || !expired))) return [];
    const knownFrom = entries.reduce((last, [, { at }]) => Math.max(last, at), 0);
    return [{ kind, id, registers: Object.fromEntries(gone), firstAt: null, knownFrom }];
  });
}

/** Keeps what leaving events made of records, as a last rebuild would. The transaction holds the readings and the bases' lock. */
export async function keepBases(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const readings = await findReadings(client, [...new Set(events.map(({ sourceId }) => sourceId))]);
  const fold = new BaseFold();
  const pauses = new Pauses();
  for (const { receivedAt, ...event } of events) {
    fold.add(event.workspaceId, touchesOf({ ...event, receivedAt: new Date(receivedAt) }, readings), event.body.length);
    await pauses.afterPiece();
  }
  for (const [workspaceId, bases] of fold.drain()) await mergeIntoBases(client, workspaceId, bases);
}

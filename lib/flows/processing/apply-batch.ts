import { SpanKind } from "@opentelemetry/api";
import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ResourceRef } from "#lib/contracts/events/events";
import { inSavepoint } from "#lib/db/pool";
import { insertRefs } from "#lib/events/log/resource-log-store";
import { recordIntegrationEvents } from "#lib/flows/connections/connections";
import { recordDeliveries } from "#lib/flows/forwarding/deliveries";
import { type Dead, type FailureNotes, failureNotesOf, recordFailures } from "#lib/flows/issues/record-failures";
import { traceIdentity, tracing } from "#lib/observability/active-tracing";
import type { WorkerCounts } from "#lib/observability/metrics";
import { readingOf, type SourceReading, type SourceReadings } from "#lib/platform/read-event";
import { insertAttempts, insertDeadLetters, resolveDeadLetters } from "#lib/processing/attempt-store";
import { backoffMs, MAX_ATTEMPTS } from "#lib/processing/failures";
import { type Claimed, type InboxDelivery, markHandedOn, postpone, removeFromInbox } from "#lib/processing/inbox-store";
import { holdReadings } from "#lib/sources/reading-store";
import { moveOf, type TaskMove } from "#lib/views/fold/fold";
import { FoldBuffer } from "#lib/views/fold/fold-buffer";
import { insertTaskMoves } from "#lib/views/pipeline-store";
import { type FoldedView, findHeldViews, mergeIntoViews, type ViewKey, viewKeyText } from "#lib/views/view-store";
import { type ClaimedBatch, isDatabaseAway } from "./batch-claims.ts";
import { planDelivery } from "./plan-delivery.ts";

type ApplyOptions = {
  now: Date;
  onParsed?: OnParsed | undefined;
  /** Leaves events for later whose records another session has locked. */
  careful?: boolean;
  waits?: LockWaits;
};

/** Applies what can be applied, records what can't and ends the claim, in the given transaction. Returns counts, to add once committed. */
export async function applyClaimed(
  client: pg.PoolClient,
  { events: claimed, end }: Omit<ClaimedBatch, "claimId">,
  { now, onParsed, careful = false, waits = LOCK_WAITS }: ApplyOptions,
): Promise<WorkerCounts> {
  const readings = await holdReadings(client, [...new Set(claimed.map(({ sourceId }) => sourceId))]);
  const held = careful ? await findHeldEvents(client, claimed, readings, waits) : new Set<Claimed>();
  const events = claimed.filter((each) => !held.has(each));
  const { applied, dead, moves, folds } = planBatch(events, readings, onParsed);
  await mergeIntoViews(client, folds);
  await insertTaskMoves(client, moves);
  if (applied.length > 0) await recordApplied(client, applied);
  if (dead.length > 0) await deadLetter(client, dead);
  // Also those that no view could take: an event may concern a connection without naming an ID.
  await recordIntegrationEvents(client, events, readings, now);
  await recordFailures(client, applied, dead, now);
  await recordDeliveries(client, [...applied, ...dead.map(withoutRecords)], now);
  await end(client, [...held], waits.againMs);
  if (held.size > 0) await handOn(client, [...held], readings, now);
  return { events_applied: applied.length, attempts_failed: dead.length };
}

async function recordApplied(client: pg.PoolClient, applied: AppliedDelivery[]): Promise<void> {
  await insertRefs(
    client,
    applied.map(({ claimed: { workspaceId, receivedAt, seq }, refs }) => ({ workspaceId, receivedAt, seq, refs })),
  );
  // First deliveries are recorded by their range, and can't have been dead letters before.
  const fromInbox = applied.map(({ claimed }) => claimed).filter(({ inboxId }) => inboxId !== null);
  if (fromInbox.length === 0) return;
  await insertAttempts(
    client,
    fromInbox.map((claimed) => ({ claimed, outcome: "applied", failureCode: null, failureText: null })),
  );
  await resolveDeadLetters(client, fromInbox);
}

/** Names no record: none is known of an event that could not be applied. */
const withoutRecords = ({ claimed }: Dead) => ({ claimed, refs: [] });

async function deadLetter(client: pg.PoolClient, dead: Dead[]): Promise<void> {
  await insertAttempts(
    client,
    dead.map(({ claimed, code, text }) => ({ claimed, outcome: "failed", failureCode: code, failureText: text })),
  );
  await insertDeadLetters(client, dead);
}

type Failed = Dead & { claimed: InboxDelivery };

/** Charges a failed attempt and ends the claim: the delivery is tried again later, or is a dead letter after the last attempt. */
export async function chargeAttempt(client: pg.PoolClient, failure: Failed, claimId: number, now: Date): Promise<WorkerCounts> {
  const { claimed, code, text } = failure;
  const attempts = claimed.attempts + 1;
  if (attempts >= MAX_ATTEMPTS) {
    await deadLetter(client, [failure]);
    await recordFailures(client, [], [failure], now);
    await recordDeliveries(client, [withoutRecords(failure)], now);
    await removeFromInbox(client, [claimed.inboxId], claimId);
    return { attempts_failed: 1 };
  }
  await insertAttempts(client, [{ claimed, outcome: "retrying", failureCode: code, failureText: text }]);
  await postpone(client, claimed.inboxId, claimId, attempts, backoffMs(attempts, Math.random()));
  return { attempts_retried: 1 };
}

type AppliedDelivery = { claimed: Claimed; refs: ResourceRef[]; notes: FailureNotes };

/** Of the parsed payloads, only the parts that are written. */
type BatchPlan = { applied: AppliedDelivery[]; dead: Dead[]; moves: TaskMove[]; folds: FoldedView[] };

/** Called for each payload that can be read, while it is in memory. `refs`: the records that it names, its subject first. */
export type OnParsed = (claimed: Claimed, data: Record<string, unknown>, refs: readonly ResourceRef[], reading: SourceReading) => void;

/** Plans one event at a time: a payload is parsed, folded and let go, because parsed it may take twenty times its bytes. Pure. */
export function planBatch(batch: Claimed[], readings: SourceReadings, onParsed: OnParsed = () => undefined): BatchPlan {
  const applied: AppliedDelivery[] = [];
  const dead: Dead[] = [];
  const moves: TaskMove[] = [];
  const buffers = new Map<WorkspaceId, FoldBuffer>();
  for (const claimed of batch) {
    const { data, plan } = planDelivery(claimed, readings);
    if (plan.outcome === "touches") onParsed(claimed, data, plan.refs, readingOf(readings, claimed.sourceId));
    else if (plan.code !== "not_readable") onParsed(claimed, data, [], readingOf(readings, claimed.sourceId));
    if (plan.outcome !== "touches") {
      dead.push({ claimed, code: plan.code, text: plan.text });
      continue;
    }
    const { workspaceId } = claimed;
    const buffer = buffers.get(workspaceId) ?? new FoldBuffer();
    buffers.set(workspaceId, buffer);
    buffer.add(plan.touches, claimed.body.length);
    for (const touch of plan.touches) {
      const move = moveOf(workspaceId, touch);
      if (move) moves.push(move);
    }
    applied.push({ claimed, refs: plan.refs, notes: failureNotesOf(claimed, data, readingOf(readings, claimed.sourceId)) });
  }
  const folds = [...buffers].flatMap(([workspaceId, buffer]) => buffer.drain().map((view) => ({ ...view, workspaceId })));
  return { applied, dead, moves, folds };
}

export type LockWaits = {
  batchMs: number;
  /** For a batch after one that met a lock: records of other clients are left out, and workers hold theirs for the length of a batch. */
  carefulMs: number;
  aloneMs: number;
  /** Until an event is tried again whose record was locked. */
  againMs: number;
};

export const LOCK_WAITS: LockWaits = { batchMs: 2000, carefulMs: 10_000, aloneMs: 500, againMs: 5000 };

/** A workspace in which a lock was met is handled with care for this long. */
const CAREFUL_MS = 30_000;

/** Workspaces in which this process met a lock of late: their batches leave out events with locked records, so that only these wait. */
export class MetLocks {
  private readonly until = new Map<WorkspaceId, number>();

  note(workspaceIds: WorkspaceId[]): void {
    for (const workspaceId of workspaceIds) this.until.set(workspaceId, performance.now() + CAREFUL_MS);
  }

  amongst(workspaceIds: WorkspaceId[]): boolean {
    return workspaceIds.some((workspaceId) => (this.until.get(workspaceId) ?? 0) > performance.now());
  }
}

/** Returns the events that touch a record which another client has held for longer than a batch waits. @throws ViewsLocked */
async function findHeldEvents(
  client: pg.PoolClient,
  events: Claimed[],
  readings: SourceReadings,
  { batchMs, carefulMs }: LockWaits,
): Promise<Set<Claimed>> {
  const touched = events.map((claimed) => ({ claimed, keys: keysOf(claimed, readings) }));
  const keys = new Map(touched.flatMap((each) => each.keys).map((key) => [viewKeyText(key), key]));
  const held = await findHeldViews(client, [...keys.values()], { others: batchMs, ours: carefulMs });
  return new Set(touched.filter((each) => each.keys.some((key) => held.has(viewKeyText(key)))).map(({ claimed }) => claimed));
}

function keysOf(claimed: Claimed, readings: SourceReadings): ViewKey[] {
  const { plan } = planDelivery(claimed, readings);
  const { workspaceId } = claimed;
  return plan.outcome === "touches" ? plan.touches.map(({ kind, id }) => ({ workspaceId, kind, id })) : [];
}

/** Hands on events that stay in the inbox: those of the same subject that are applied before must not overtake them
 * (docs/decisions/0048). Re-deliveries are handed on once they are applied. */
async function handOn(client: pg.PoolClient, events: Claimed[], readings: SourceReadings, now: Date): Promise<void> {
  const first = events.filter(({ redeliveryId }) => redeliveryId === null);
  if (first.length === 0) return;
  await recordDeliveries(
    client,
    first.map((claimed) => {
      const { plan } = planDelivery(claimed, readings);
      return { claimed, refs: plan.outcome === "touches" ? plan.refs : [] };
    }),
    now,
  );
  await markHandedOn(client, first);
}

/** Hands on an event that failed. If that fails too, destinations in order wait for it. */
export async function handOnAnyway(client: pg.PoolClient, claimed: Claimed, now: Date): Promise<void> {
  try {
    await inSavepoint(client, async () => handOn(client, [claimed], await holdReadings(client, [claimed.sourceId]), now));
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
  }
}

type Applied = { events: Claimed[]; startMs: number; endMs: number; error?: string | undefined };

export function traceApplied({ events, startMs, endMs, error }: Applied): void {
  const active = tracing();
  if (!active) return;
  for (const { sourceId, eventId, type, attempts } of events) {
    active.below(traceIdentity(sourceId, eventId), {
      name: "process",
      kind: SpanKind.CONSUMER,
      startMs,
      endMs,
      attributes: {
        "messaging.batch.message_count": events.length,
        "signalbox.event.id": eventId,
        "signalbox.event.type": type,
        "signalbox.attempt": attempts + 1,
      },
      error,
    });
  }
}

import type pg from "pg";
import { insertRefs } from "#lib/events/ref-store";
import { recordIntegrationEvents } from "#lib/flows/connections/record-integration-events";
import { recordDeliveries } from "#lib/flows/forwarding/record-deliveries";
import { type Dead, recordFailures } from "#lib/flows/issues/record-failures";
import type { WorkerCounts } from "#lib/observability/worker-counters";
import { insertAttempts } from "#lib/processing/attempt-store";
import { insertDeadLetters, resolveDeadLetters } from "#lib/processing/dead-letter-store";
import { backoffMs, MAX_ATTEMPTS } from "#lib/processing/failures";
import { type Claimed, type InboxDelivery, postpone, removeFromInbox } from "#lib/processing/inbox-store";
import { holdReadings } from "#lib/sources/reading-store";
import { mergeIntoViews } from "#lib/views/merge-views";
import { insertTaskMoves } from "#lib/views/task-move-store";
import type { ClaimedBatch } from "./batch-source.ts";
import { handOn } from "./hand-on.ts";
import { findHeldEvents, LOCK_WAITS, type LockWaits } from "./held-records.ts";
import { type AppliedDelivery, type OnParsed, planBatch } from "./plan-batch.ts";

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

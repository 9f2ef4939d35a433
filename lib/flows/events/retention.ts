import type pg from "pg";
import type * as z from "zod/mini";
import type { Context } from "#lib/auth/audit/audit";
import { RETENTION } from "#lib/auth/audit/audit-entry";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { changeSettings } from "#lib/auth/members/workspace-store";
import type { retention } from "#lib/contracts/events/retention";
import { inTransaction, pool } from "#lib/db/pool";
import { deleteEmptyHours } from "#lib/events/hour-counter-store";
import {
  addToTallies,
  deleteBesideLog,
  deleteFromLog,
  dropPartition,
  type ExpiredEvent,
  type ExpiredStretch,
  findRetention,
  type LogPlace,
  listExpiredEvents,
  listExpiredSourceStretches,
  listExpiredStretches,
  listSpentPartitions,
  noteGone,
  takeTallies,
} from "#lib/events/retention-store";
import { giveUpLongHeld } from "#lib/flows/forwarding/destinations";
import { closeWithoutEvidence } from "#lib/flows/missing-events/detect-missing-events";
import { expireQuarantine } from "#lib/flows/quarantine/quarantine";
import { adoptBases, keepBases } from "#lib/flows/views/fold-log";
import { deleteDeliveries, lockDeliveries } from "#lib/forwarding/delivery-store";
import { lockIssues, resolveExpired } from "#lib/issues/issue-ledger-store";
import { countWork } from "#lib/observability/metrics";
import { deleteFromIssues, deleteTries } from "#lib/processing/attempt-store";
import { keepReadings } from "#lib/sources/reading-store";
import { systemClock } from "#lib/time/clock";
import { lockBases } from "#lib/views/base-store";

/** Sets how long events are kept. A shorter time deletes events within the hour, for good. */
export async function setRetention(context: Context, days: number): Promise<z.infer<typeof retention>> {
  await changeSettings(context, { retentionDays: days });
  return findRetention(context.workspaceId, context.now);
}

/** Events a transaction: some milliseconds of row locks. */
const BATCH = 1000;

type RetentionRound = { partitionsDropped: number; eventsForgotten: number };

/** Deletes events that have outlived the retention, by calendar month (UTC): each is kept for at least the policy's days and at most a
 * month longer, with its deliveries. Pending events stay, and what the others said of records is kept as the records' bases.
 * May be stopped at any point; the next round continues. */
export async function applyRetention(batch = BATCH): Promise<RetentionRound> {
  await adoptBases(new Date(systemClock.now()));
  await giveUpLongHeld(batch);
  try {
    return await forgetExpired(batch);
  } finally {
    await auditTallies();
    await expireQuarantine(batch);
  }
}

/** Audits what was deleted, also by a round that was interrupted before it came to this. */
async function auditTallies(): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    for (const { workspaceId, events, receivedFrom, receivedTo } of await takeTallies(client)) {
      const after = { events, receivedFrom: receivedFrom.toISOString(), receivedTo: receivedTo.toISOString() };
      await insertAudit(workspaceId, { action: "retention.applied", who: RETENTION, after }, client);
    }
  });
}

async function forgetExpired(batch: number): Promise<RetentionRound> {
  const round: RetentionRound = { partitionsDropped: 0, eventsForgotten: 0 };
  for (const partition of await listSpentPartitions()) {
    round.eventsForgotten += await forget(partition, { batch, keepRows: true });
    // A client that holds one of them, such as a dump, usually holds them all: the next round continues.
    if (!(await dropPartition(partition.name))) break;
    round.partitionsDropped += 1;
  }
  for (const stretch of await listExpiredStretches()) round.eventsForgotten += await forget(stretch, { batch, keepRows: false });
  for (const stretch of await listExpiredSourceStretches()) {
    round.eventsForgotten += await forget(stretch, { batch, keepRows: false });
    await noteGone(stretch);
  }
  await deleteEmptyHours();
  await closeWithoutEvidence();
  countWork({ events_expired: round.eventsForgotten });
  return round;
}

type Forgetting = { batch: number; keepRows: boolean };

async function forget(stretch: ExpiredStretch, { batch, keepRows }: Forgetting): Promise<number> {
  let count = 0;
  let last: LogPlace | null = null;
  do {
    const after: LogPlace | null = last;
    const gone: { count: number; last: LogPlace | null } = await inTransaction(pool("worker"), async (client) => {
      await lockBases(client);
      // No mapping may change until the bases that are made with it are committed.
      await keepReadings(client);
      const { events: expired, last } = await listExpiredEvents(client, stretch, after, batch);
      if (expired.length === 0) return { count: 0, last };
      const held = await lockDeliveries(client, expired);
      const events = expired.filter(({ seq }) => !held.has(seq));
      await keepBases(client, events);
      await deleteTries(client, events);
      await deleteDeliveries(client, events);
      await leaveIssues(client, events, new Date(systemClock.now()));
      await deleteBesideLog(client, events);
      if (!keepRows) await deleteFromLog(client, events);
      await addToTallies(client, events);
      return { count: events.length, last };
    });
    count += gone.count;
    last = gone.last;
  } while (last);
  return count;
}

/** Removes events from their issues; an issue that loses its last failing event is resolved. */
async function leaveIssues(client: pg.PoolClient, events: ExpiredEvent[], now: Date): Promise<void> {
  const { issueIds, lostFailing } = await deleteFromIssues(client, events);
  if (issueIds.length === 0) return;
  await lockIssues(client, issueIds);
  await resolveExpired(client, issueIds, lostFailing, now);
}

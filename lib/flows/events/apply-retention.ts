import type pg from "pg";
import { inTransaction, pool } from "#lib/db/pool";
import {
  deleteBesideLog,
  deleteFromLog,
  dropPartition,
  type ExpiredEvent,
  type ExpiredStretch,
  listExpiredEvents,
  listExpiredStretches,
  listSpentPartitions,
} from "#lib/events/retention/expiry-store";
import { expireQuarantine } from "#lib/flows/quarantine/expire-quarantine";
import { deleteDeliveries } from "#lib/forwarding/expiry-store";
import { lockIssues, resolveExpired } from "#lib/issues/issue-ledger-store";
import { countWork } from "#lib/observability/worker-counters";
import { deleteFromIssues, deleteTries } from "#lib/processing/expiry-store";

/** Events a transaction: some milliseconds of locks on rows that nobody asks for any more. */
const BATCH = 1000;

/** What one round of retention did. */
export type RetentionRound = { partitionsDropped: number; eventsForgotten: number };

/**
 * Lets go of events that have outlived their workspace's policy, a calendar
 * month (UTC) at a time: an event is kept for at least the policy's days and at
 * most a month longer, and its deliveries to destinations with it. A partition
 * that nobody keeps is dropped; in one that another workspace still keeps, rows
 * go in batches. What waits to be
 * applied stays, and views stay with the moves of their tasks; an issue that nothing of
 * the log records any more is resolved: see docs/decisions. Quarantined
 * requests that verified leave by the same policy.
 *
 * May be stopped at any point; the next round goes on.
 */
export async function applyRetention(batch = BATCH): Promise<RetentionRound> {
  const round: RetentionRound = { partitionsDropped: 0, eventsForgotten: 0 };
  for (const partition of await listSpentPartitions()) {
    round.eventsForgotten += await forget(partition, batch, { keepRows: true });
    // Whoever holds one of them, a dump for example, mostly holds them all: the next round goes on.
    if (!(await dropPartition(partition.name))) break;
    round.partitionsDropped += 1;
  }
  for (const stretch of await listExpiredStretches()) round.eventsForgotten += await forget(stretch, batch, { keepRows: false });
  countWork({ events_expired: round.eventsForgotten });
  await expireQuarantine(batch);
  return round;
}

/** @returns how many events were forgotten */
async function forget(stretch: ExpiredStretch, batch: number, { keepRows }: { keepRows: boolean }): Promise<number> {
  let count = 0;
  let last: ExpiredEvent | null = null;
  do {
    const after: ExpiredEvent | null = last;
    last = await inTransaction(pool("worker"), async (client) => {
      const events = await listExpiredEvents(client, stretch, after, batch);
      if (events.length === 0) return null;
      await deleteTries(client, events);
      await deleteDeliveries(client, events);
      await leaveIssues(client, events);
      await deleteBesideLog(client, events);
      if (!keepRows) await deleteFromLog(client, events);
      count += events.length;
      return events.at(-1) ?? null;
    });
  } while (last);
  return count;
}

/** Takes events out of their issues. An issue whose last failing event goes has nothing left to fix. */
async function leaveIssues(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  const { issueIds, lostFailing } = await deleteFromIssues(client, events);
  if (issueIds.length === 0) return;
  await lockIssues(client, issueIds);
  await resolveExpired(client, issueIds, lostFailing, new Date());
}

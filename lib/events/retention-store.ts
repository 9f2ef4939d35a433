import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Retention } from "#lib/contracts/events/retention";
import { goneBefore } from "#lib/contracts/events/retention-month";
import { bodiesWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { isLockBusy } from "#lib/db/locks";
import { inTransaction, pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { queryRow, queryRows, queryValues } from "#lib/db/rows";
import { CUTOFF, DAYS_KEPT, keyOfSql, waitingSql } from "#lib/db/sql";
import { deleteHours } from "./hour-counter-store.ts";

export async function findRetention(workspaceId: WorkspaceId, now: Date): Promise<Retention> {
  const { rows } = await pool().query<{ days: number; oldest: Date | null }>(
    `SELECT w.retention_days AS days, (SELECT min(received_at) FROM events WHERE workspace_id = w.id) AS oldest
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  const { days = 90, oldest = null } = rows[0] ?? {};
  return { days, goneBefore: goneBefore(days, now).toISOString(), oldestReceivedAt: oldest?.toISOString() ?? null };
}

export async function listForgotten(workspaceId: WorkspaceId, eventIds: string[]): Promise<string[]> {
  if (eventIds.length === 0) return [];
  return queryValues<{ id: string }>(
    pool(),
    `SELECT u.id FROM unnest($2::text[]) AS u(id)
     WHERE NOT EXISTS (SELECT 1 FROM event_keys k WHERE ${keyOfSql("k", "$1")} AND k.event_id = u.id)`,
    [workspaceId, eventIds],
  );
}

export type ExpiredEvent = {
  workspaceId: WorkspaceId;
  receivedAt: string;
  seq: number;
  sourceId: string;
  eventId: string;
  type: string;
  created: number;
  body: Buffer;
};

export type LogPlace = { receivedAt: string; seq: number };

/** SQL: true if an event has a pending delivery to a destination, which needs its bytes. */
const HELD = "EXISTS (SELECT 1 FROM forward_deliveries f WHERE f.received_at = e.received_at AND f.seq = e.seq AND f.state = 'pending')";

/** SQL: true if an event is not forgotten yet: it has its key. */
const KEYED = `EXISTS (SELECT 1 FROM event_keys k
  WHERE k.source_id = e.source_id AND k.event_id = e.event_id AND k.received_at = e.received_at AND k.seq = e.seq)`;

/** A stretch of the log that has outlived its policy: of one source, one workspace, or (null) of all. `to` is exclusive. */
export type ExpiredStretch = { workspaceId: WorkspaceId | null; sourceId?: SourceId; from: string; to: string };

const MONTHS = `SELECT name, month AT TIME ZONE 'UTC' AS lower, (month + interval '1 month') AT TIME ZONE 'UTC' AS upper
  FROM (SELECT c.relname AS name, make_timestamp(substr(c.relname, 8, 4)::int, substr(c.relname, 13, 2)::int, 1, 0, 0, 0) AS month
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_[0-9]{4}_[0-9]{2}$') months`;

type SpentPartition = ExpiredStretch & { name: string };

/** Lists partitions that no workspace's policy keeps and of which nothing waits, oldest first. */
export async function listSpentPartitions(from: Connection = pool("worker")): Promise<SpentPartition[]> {
  const { rows } = await from.query<{ name: string; lower: string; upper: string }>(
    `SELECT m.name, m.lower::text, m.upper::text FROM (${MONTHS}) m
     WHERE m.upper < now() - interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM workspaces w WHERE m.upper > ${CUTOFF("w.retention_days")}
         AND EXISTS (SELECT 1 FROM events e WHERE e.workspace_id = w.id AND e.received_at >= m.lower AND e.received_at < m.upper))
       AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.received_at >= m.lower AND i.received_at < m.upper)
       AND NOT EXISTS (SELECT 1 FROM log_places p CROSS JOIN LATERAL waiting_in_log(p.workspace_id) l
         WHERE l.received_at >= m.lower AND l.received_at < m.upper)
       AND NOT EXISTS (SELECT 1 FROM destinations d CROSS JOIN LATERAL (SELECT 1 FROM forward_deliveries f
         WHERE f.destination_id = d.id AND f.state = 'pending' AND f.received_at >= m.lower AND f.received_at < m.upper LIMIT 1) held)
     ORDER BY m.lower`,
  );
  return rows.map(({ name, lower, upper }) => ({ workspaceId: null, name, from: lower, to: upper }));
}

/** Lists stretches beyond one workspace's policy in partitions that another's still keeps. */
export const listExpiredStretches = (): Promise<ExpiredStretch[]> =>
  queryRows<{ workspaceId: WorkspaceId; from: string; to: string }>(
    pool("worker"),
    `SELECT w.id AS "workspaceId", e.oldest::text AS "from", ${CUTOFF("w.retention_days")}::text AS "to"
     FROM workspaces w CROSS JOIN LATERAL (SELECT min(received_at) AS oldest FROM events WHERE workspace_id = w.id) e
     WHERE e.oldest < ${CUTOFF("w.retention_days")}`,
  );

/** Lists stretches beyond a source's own policy. Each begins behind those already deleted: other sources may have millions there. */
export const listExpiredSourceStretches = (): Promise<(ExpiredStretch & { sourceId: SourceId })[]> =>
  queryRows<{ workspaceId: WorkspaceId; sourceId: SourceId; from: string; to: string }>(
    pool("worker"),
    `SELECT w.id AS "workspaceId", s.id AS "sourceId", greatest(e.oldest, s.gone_before)::text AS "from", ${CUTOFF("s.retention_days")}::text AS "to"
     FROM sources s JOIN workspaces w ON w.id = s.workspace_id
     CROSS JOIN LATERAL (SELECT min(received_at) AS oldest FROM events WHERE workspace_id = w.id) e
     WHERE s.retention_days < w.retention_days AND greatest(e.oldest, s.gone_before) < ${CUTOFF("s.retention_days")}
     ORDER BY s.id`,
  );

/** Notes that a source's events of a stretch have gone, unless one was held back. None comes later: a release is received now. */
export async function noteGone({ workspaceId, sourceId, from, to }: ExpiredStretch & { sourceId: SourceId }): Promise<void> {
  await pool("worker").query(
    `UPDATE sources SET gone_before = $4 WHERE id = $2 AND NOT EXISTS (
       SELECT 1 FROM events e WHERE e.workspace_id = $1 AND e.source_id = $2 AND e.received_at >= $3 AND e.received_at < $4)`,
    [workspaceId, sourceId, from, to],
  );
}

/** Lists a stretch's next events, except waiting ones, those kept by policy (locked until the end) and forgotten ones; 16 MB at most. */
export async function listExpiredEvents(
  client: pg.PoolClient,
  stretch: ExpiredStretch,
  after: LogPlace | null,
  limit: number,
): Promise<{ events: ExpiredEvent[]; last: LogPlace | null }> {
  const begin = after ?? { receivedAt: stretch.from, seq: 0 };
  const end = await findEndOfRows(client, stretch, begin, limit);
  if (!end) return { events: [], last: null };
  const { rows } = await client.query<Omit<ExpiredEvent, "receivedAt"> & { at: string; candidates: number }>(
    bodiesWithinBytes(
      `SELECT e.workspace_id AS "workspaceId", e.received_at, e.received_at::text AS at, e.seq, e.source_id AS "sourceId", e.event_id AS "eventId",
       e.type, e.created, e.body
     FROM events e JOIN workspaces w ON w.id = e.workspace_id JOIN sources s ON s.id = e.source_id
     WHERE e.received_at < ${CUTOFF(DAYS_KEPT)} AND ${ofWorkspace(stretch)} AND ($6::text IS NULL OR e.source_id = $6) AND e.received_at >= $2 AND e.received_at <= $4
       AND (e.received_at, e.seq) > ($2, $3::bigint) AND (e.received_at, e.seq) <= ($4, $5::bigint)
       AND NOT ${waitingSql("e")} AND NOT ${HELD} AND ${KEYED}
     ORDER BY e.received_at, e.seq FOR SHARE OF w, s`,
      "received_at, seq",
    ),
    [stretch.workspaceId, begin.receivedAt, begin.seq, end.receivedAt, end.seq, stretch.sourceId ?? null],
  );
  const events = rows.map(({ at, candidates: _, ...row }) => ({ ...row, receivedAt: at }));
  // Bodies that did not fit belong to the next batch.
  return { events, last: (rows[0]?.candidates ?? 0) > rows.length ? (events.at(-1) ?? end) : end };
}

const ofWorkspace = ({ workspaceId }: ExpiredStretch) => (workspaceId === null ? "$1::text IS NULL" : "e.workspace_id = $1");

/** Returns where the next `limit` rows end, kept ones included: millions may lie before the next that goes, too many for one statement. */
const findEndOfRows = (client: pg.PoolClient, stretch: ExpiredStretch, begin: LogPlace, limit: number): Promise<LogPlace | null> =>
  queryRow<LogPlace>(
    client,
    `SELECT n.received_at::text AS "receivedAt", n.seq FROM (
       SELECT e.received_at, e.seq FROM events e
       WHERE ${ofWorkspace(stretch)} AND e.received_at >= $2 AND e.received_at < $4 AND (e.received_at, e.seq) > ($2, $3::bigint)
       ORDER BY e.received_at, e.seq LIMIT $5) n
     ORDER BY n.received_at DESC, n.seq DESC LIMIT 1`,
    [stretch.workspaceId, begin.receivedAt, begin.seq, stretch.to, limit],
  );

/** Forgets keys, conflicts and references of events. What the events said of records is kept in view_bases. */
export async function deleteBesideLog(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  await client.query("SET LOCAL signalbox.bases = 'kept'");
  const positions = arraysOf(events, "receivedAt", "seq");
  const keys = arraysOf(events, "sourceId", "eventId");
  await client.query(
    "DELETE FROM event_refs r USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) WHERE r.received_at = u.at AND r.seq = u.seq",
    positions,
  );
  await client.query(
    "DELETE FROM event_conflicts c USING unnest($1::text[], $2::text[]) AS u(source, id) WHERE c.source_id = u.source AND c.event_id = u.id",
    keys,
  );
  // By position too: an ID that came again after its event had gone has a key of its own.
  await client.query(
    `DELETE FROM event_keys k USING unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) AS u(source, id, at, seq)
     WHERE k.source_id = u.source AND k.event_id = u.id AND k.received_at = u.at AND k.seq = u.seq`,
    [...keys, ...positions],
  );
}

/** Deletes events from partitions that others still need, and from the search. The database rejects what a policy keeps. */
export async function deleteFromLog(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  const positions = arraysOf(events, "receivedAt", "seq");
  await client.query(
    `DELETE FROM event_search f USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) JOIN events e ON e.received_at = u.at AND e.seq = u.seq
     WHERE f.workspace_id = e.workspace_id AND f.received_at = e.received_at AND f.seq = e.seq`,
    positions,
  );
  await client.query(
    "DELETE FROM events e USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) WHERE e.received_at = u.at AND e.seq = u.seq",
    positions,
  );
}

/** Drops a spent partition. Its own lock comes first: while a dump holds it, the log's lock, which blocks appends, isn't asked for. */
export async function dropPartition(name: string): Promise<boolean> {
  try {
    return await inTransaction(pool("worker"), async (client) => {
      await client.query("SET LOCAL lock_timeout = '1s'");
      await client.query(`LOCK TABLE "${name}" IN ACCESS EXCLUSIVE MODE`);
      // No policy may change until it is dropped: one that keeps it by then was confirmed.
      await client.query("SELECT FROM workspaces FOR SHARE");
      const spent = (await listSpentPartitions(client)).find((partition) => partition.name === name);
      if (!spent || !(await isForgotten(client, name))) return false;
      await client.query("SET LOCAL lock_timeout = '200ms'");
      await client.query(`DROP TABLE "${name}"`);
      await deleteHours(client, spent);
      await client.query(`DROP TABLE IF EXISTS "${name.replace("events_", "event_search_")}"`);
      return true;
    });
  } catch (error) {
    if (isLockBusy(error)) return false; // busy: the next round tries again
    throw error;
  }
}

/** True if every applied event of a partition was forgotten: one that waited for a moment may have been passed over. */
async function isForgotten(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM event_refs r JOIN "${name}" e ON e.received_at = r.received_at AND e.seq = r.seq JOIN workspaces w ON w.id = e.workspace_id
     WHERE r.received_at >= (SELECT min(received_at) FROM "${name}") AND r.received_at <= (SELECT max(received_at) FROM "${name}") AND ${KEYED} LIMIT 1`,
  );
  return rowCount === 0;
}

/** Lists workspaces with events that were to be deleted a day ago, except those that wait to be applied or sent. */
export const listLateRetention = (): Promise<{ workspaceId: WorkspaceId; oldest: Date }[]> =>
  queryRows<{ workspaceId: WorkspaceId; oldest: Date }>(
    pool(),
    `SELECT w.id AS "workspaceId", e.received_at AS oldest FROM workspaces w CROSS JOIN LATERAL (
       SELECT e.received_at FROM events e WHERE e.workspace_id = w.id AND e.received_at < ${CUTOFF("w.retention_days + 1")}
         AND NOT ${waitingSql("e")} AND NOT ${HELD} ORDER BY e.received_at LIMIT 1) e`,
  );

type RetentionTally = { workspaceId: WorkspaceId; events: number; receivedFrom: Date; receivedTo: Date };

/** Counts deleted events in the transaction that deletes them: a round that ends in the middle loses no count. */
export async function addToTallies(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await client.query(
    `INSERT INTO retention_tallies AS t (workspace_id, events, received_from, received_to)
     SELECT workspace, count(*), min(at), max(at) FROM unnest($1::text[], $2::timestamptz[]) AS u(workspace, at) GROUP BY workspace ORDER BY workspace
     ON CONFLICT (workspace_id) DO UPDATE SET events = t.events + excluded.events,
       received_from = least(t.received_from, excluded.received_from), received_to = greatest(t.received_to, excluded.received_to)`,
    arraysOf(events, "workspaceId", "receivedAt"),
  );
}

export const takeTallies = (client: pg.PoolClient): Promise<RetentionTally[]> =>
  queryRows<RetentionTally>(
    client,
    `DELETE FROM retention_tallies
     RETURNING workspace_id AS "workspaceId", events, received_from AS "receivedFrom", received_to AS "receivedTo"`,
  );

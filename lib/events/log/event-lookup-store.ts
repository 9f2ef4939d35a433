import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { keyOfSql } from "#lib/db/sql";

export type LastEvent = { id: string; type: string; receivedAt: string };

type Row = { id: string; type: string; receivedAt: Date };

const COLUMNS = 'e.event_id AS id, e.type, e.received_at AS "receivedAt"';

/** Returns the workspace's newest event, or the one with this ID; null when there is none. */
export async function findLastEvent(workspaceId: WorkspaceId, eventId?: string): Promise<LastEvent | null> {
  const { rows } =
    eventId === undefined
      ? await pool().query<Row>(
          `SELECT ${COLUMNS} FROM events e WHERE e.workspace_id = $1 ORDER BY e.received_at DESC, e.seq DESC LIMIT 1`,
          [workspaceId],
        )
      : await pool().query<Row>(
          `SELECT ${COLUMNS} FROM event_keys k JOIN events e USING (received_at, seq)
            WHERE ${keyOfSql("k", "$1")} AND k.event_id = $2 ORDER BY e.received_at DESC LIMIT 1`,
          [workspaceId, eventId],
        );
  const [row] = rows;
  return row ? { ...row, receivedAt: row.receivedAt.toISOString() } : null;
}

/** Returns the IDs of the events' sources, by the events' numbers in the log. */
export async function listSourcesOf(client: Connection, events: { receivedAt: Date; seq: number }[]): Promise<Map<number, string>> {
  const { rows } = await client.query<{ seq: number; sourceId: string }>({
    name: "events-sources",
    text: `SELECT e.seq, e.source_id AS "sourceId" FROM unnest($1::timestamptz[], $2::bigint[]) AS k(received_at, seq)
      JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq`,
    values: arraysOf(events, "receivedAt", "seq"),
  });
  return new Map(rows.map(({ seq, sourceId }) => [seq, sourceId]));
}

/** Returns the names of the events' sources by the events' IDs; events that have left the log are missing. */
export async function findSourceNames(workspaceId: WorkspaceId, eventIds: string[]): Promise<Map<string, string>> {
  if (eventIds.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; name: string }>(
    `SELECT k.event_id AS id, s.name FROM event_keys k JOIN sources s ON s.id = k.source_id
     WHERE ${keyOfSql("k", "$1")} AND k.event_id = ANY($2::text[])`,
    [workspaceId, eventIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type NamedEvent = { workspaceId: WorkspaceId; eventId: string };

export const namedEventText = ({ workspaceId, eventId }: NamedEvent) => `${workspaceId} ${eventId}`;

/** Returns those of the events that the log has, by `namedEventText`. */
export async function findKnown(from: pg.Pool | pg.ClientBase, events: NamedEvent[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await from.query<NamedEvent>(
    `SELECT DISTINCT u.w AS "workspaceId", u.e AS "eventId" FROM unnest($1::text[], $2::text[]) AS u(w, e)
     JOIN sources o ON o.workspace_id = u.w JOIN event_keys k ON k.source_id = o.id AND k.event_id = u.e AND k.workspace_id = u.w`,
    arraysOf(events, "workspaceId", "eventId"),
  );
  return new Set(rows.map(namedEventText));
}

/**
 * The log's horizon as SQL. Every row of `events` with a lower position is visible to the statement that uses it, and none will be added.
 * Transactions that don't append don't hold it back, however long they run (docs/decisions/0024). One that appends must lock the table
 * before it has an ID: by appending in its first statement that writes, or by `LOCK TABLE events IN ROW EXCLUSIVE MODE`.
 */
export const LOG_HORIZON = "(SELECT log_horizon())";

/** Returns the horizon as text: now, or of the snapshot of a REPEATABLE READ transaction. */
export async function findLogHorizon(from: Connection = pool()): Promise<string> {
  const { rows } = await from.query<{ horizon: string }>(`SELECT ${LOG_HORIZON}::text AS horizon`);
  return rows[0]?.horizon ?? "0";
}

/** True for a position from later than this log has come to, handed out before the database was restored or failed over. */
export async function isBeyondLog(position: string): Promise<boolean> {
  const { rows } = await pool().query<{ beyond: boolean }>(
    `SELECT $1::text::xid8 > (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0))::text::xid8 AS beyond`,
    [position],
  );
  return rows[0]?.beyond === true;
}

const MEASURE_LIMIT_MS = 1000;

/** Milliseconds that the oldest committed event beyond the horizon has been held back, 0 for none; null when not answered in a second. */
export async function measureHorizonAge(now: Date): Promise<number | null> {
  const rows = await queryWithin<{ received_at: Date }>(
    MEASURE_LIMIT_MS,
    `SELECT e.received_at FROM log_places w CROSS JOIN LATERAL (
       SELECT e.received_at, e.xid, e.seq FROM events e WHERE e.workspace_id = w.workspace_id AND e.xid >= ${LOG_HORIZON}
       ORDER BY e.xid, e.seq LIMIT 1) e ORDER BY e.xid, e.seq LIMIT 1`,
    [],
  );
  const [oldest] = rows ?? [];
  if (rows === null) return null;
  return oldest ? Math.max(0, now.getTime() - oldest.received_at.getTime()) : 0;
}

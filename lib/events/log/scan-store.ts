import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { bodiesWithinBytes, mayHaveMore } from "#lib/db/bounded-query";
import { pool } from "#lib/db/pool";
import { queryCount, queryRows, queryValue } from "#lib/db/rows";
import { keyOfSql, LOGGED_COLUMNS, type LoggedEvent, waitingSql } from "#lib/db/sql";

export type ScannedEvent = LoggedEvent & { xid: string };

/** A place in the order in which feed, search and rebuild read the log. */
export type LogPosition = { xid: string; seq: number };

const COLUMNS = `${LOGGED_COLUMNS}, e.xid::text AS xid`;

export const countLog = (client: pg.PoolClient, workspaceId: WorkspaceId): Promise<number> =>
  queryCount<{ n: number }>(client, "SELECT count(*) AS n FROM events WHERE workspace_id = $1", [workspaceId]);

/** Reads the log below position `end` in the order of receipt: `limit` events and 16 MB of bodies at most, one event at least. */
export const readLogBefore = (
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  end: string,
  after: { receivedAt: Date; seq: number } | null,
  limit: number,
): Promise<ScannedEvent[]> =>
  queryRows<ScannedEvent>(
    client,
    bodiesWithinBytes(
      `SELECT ${COLUMNS} FROM events e
       WHERE e.workspace_id = $1 AND e.xid < $2::text::xid8 AND e.received_at >= $3 AND (e.received_at, e.seq) > ($3, $4::bigint)
       ORDER BY e.received_at, e.seq LIMIT $5`,
      '"receivedAt", seq',
    ),
    [workspaceId, end, after?.receivedAt ?? "-infinity", after?.seq ?? 0, limit],
  );

/** Reads one type's events of a source that were received before a moment, in the order of receipt, bounded as above. */
export const readTypeBefore = (
  workspaceId: WorkspaceId,
  { sourceId, type, before }: { sourceId: string; type: string; before: Date },
  after: { receivedAt: Date; seq: number } | null,
  limit: number,
): Promise<(ScannedEvent & { signatureForm: string })[]> =>
  queryRows<ScannedEvent & { signatureForm: string }>(
    pool("worker"),
    bodiesWithinBytes(
      `SELECT ${COLUMNS}, e.signature_form AS "signatureForm" FROM events e
       WHERE e.workspace_id = $1 AND e.type = $2 AND e.source_id = $3 AND e.received_at < $4 AND e.received_at >= $5 AND (e.received_at, e.seq) > ($5, $6::bigint)
       ORDER BY e.received_at, e.seq LIMIT $7`,
      '"receivedAt", seq',
    ),
    [workspaceId, type, sourceId, before.toISOString(), after?.receivedAt ?? "-infinity", after?.seq ?? 0, limit],
  );

export const countTypeBefore = (
  workspaceId: WorkspaceId,
  { sourceId, type, before }: { sourceId: string; type: string; before: Date },
): Promise<number> =>
  queryCount<{ n: number }>(
    pool("worker"),
    "SELECT count(*) AS n FROM events WHERE workspace_id = $1 AND type = $2 AND source_id = $3 AND received_at < $4",
    [workspaceId, type, sourceId, before.toISOString()],
  );

/** Reads the log in the order of positions, bounded as above, below `end` or (null) to the end. `more`: others may follow. */
export async function readLogAfter(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  after: LogPosition,
  end: string | null,
  limit: number,
): Promise<{ events: ScannedEvent[]; more: boolean }> {
  const { rows } = await client.query<ScannedEvent & { candidates: number }>(
    bodiesWithinBytes(
      `SELECT ${COLUMNS} FROM events e
       WHERE e.workspace_id = $1 AND (e.xid, e.seq) > ($2::text::xid8, $3::bigint) AND ($4::text IS NULL OR e.xid < $4::text::xid8)
       ORDER BY e.xid, e.seq LIMIT $5`,
      "xid::xid8, seq",
    ),
    [workspaceId, after.xid, after.seq, end, limit],
  );
  return { events: rows, more: mayHaveMore(rows, limit) };
}

export async function findPresent(client: pg.PoolClient, workspaceId: WorkspaceId, eventIds: string[]): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set();
  const { rows } = await client.query<{ event_id: string }>(
    `SELECT DISTINCT k.event_id FROM event_keys k JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq
     WHERE ${keyOfSql("k", "$1")} AND k.event_id = ANY($2::text[])`,
    [workspaceId, eventIds],
  );
  return new Set(rows.map(({ event_id }) => event_id));
}

/** Returns when the log's oldest event was received, except of waiting ones, which stay. Null for an empty log. */
export const findLogBegin = (client: pg.PoolClient, workspaceId: WorkspaceId): Promise<Date | null> =>
  queryValue<{ received_at: Date }>(
    client,
    `SELECT e.received_at FROM events e WHERE e.workspace_id = $1 AND NOT ${waitingSql("e")}
     ORDER BY e.received_at LIMIT 1`,
    [workspaceId],
  );

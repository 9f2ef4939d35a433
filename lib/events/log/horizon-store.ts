import type pg from "pg";
import { queryWithin } from "#lib/db/bounded-query";
import { pool } from "#lib/db/pool";

/**
 * The log's horizon as SQL. Every row of `events` with a lower position is visible to the statement that uses it, and none will be added.
 * Transactions that don't append don't hold it back, however long they run (docs/decisions/0024). One that appends must lock the table
 * before it has an ID: by appending in its first statement that writes, or by `LOCK TABLE events IN ROW EXCLUSIVE MODE`.
 */
export const LOG_HORIZON = "(SELECT log_horizon())";

/** Returns the horizon as text: now, or of the snapshot of a REPEATABLE READ transaction. */
export async function findLogHorizon(from: pg.Pool | pg.PoolClient = pool()): Promise<string> {
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

import type pg from "pg";
import { pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";

/**
 * The log's horizon as an SQL expression: read what lies below it, and nothing is skipped. Every row of `events` with
 * a lower position is visible to the statement that uses it, and none will be appended there any more. Transactions
 * that don't append to the log do not hold it back, however long they run (docs/decisions/0024).
 *
 * A transaction that appends to `events` must lock the table before it has an id: by appending in its first
 * statement that writes, or by `LOCK TABLE events IN ROW EXCLUSIVE MODE`.
 */
export const LOG_HORIZON = "(SELECT log_horizon())";

/**
 * The log's horizon now: a position, as text.
 *
 * @param from in a REPEATABLE READ transaction: the horizon of its snapshot
 */
export async function findLogHorizon(from: pg.Pool | pg.PoolClient = pool()): Promise<string> {
  const { rows } = await from.query<{ horizon: string }>(`SELECT ${LOG_HORIZON}::text AS horizon`);
  return rows[0]?.horizon ?? "0";
}

/** True for a position that this log has not come to: one of a later time, handed out before the database was restored or failed over. */
export async function isBeyondLog(position: string): Promise<boolean> {
  const { rows } = await pool().query<{ beyond: boolean }>(
    `SELECT $1::text::xid8 > (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0))::text::xid8 AS beyond`,
    [position],
  );
  return rows[0]?.beyond === true;
}

const MEASURE_LIMIT_MS = 1000;

/**
 * The horizon's age: how long the oldest committed event that lies beyond it has been held back from feed and search.
 *
 * @returns milliseconds, 0 when none is held back; null when the database did not answer within a second
 */
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

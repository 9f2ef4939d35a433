import type pg from "pg";
import { onOwnConnection } from "#lib/db/connection/own-connection";
import { pool } from "#lib/db/pool";
import { isLockBusy, retryWhileBusy } from "#lib/db/retry-while-busy";
import { logger } from "#lib/observability/logger";

/** Above every cursor handed out since the backup, unless the earlier cluster ran 4 billion transactions. */
const LEAP = 2 ** 32;

const CLOCK = `coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0)`;
const NEXT = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
/** Positions that this cluster has not reached: of events, or of the workers' place, whose events may have left the log. */
const HIGHEST_AHEAD = `SELECT s.xid::text::bigint AS highest FROM log_places w CROSS JOIN LATERAL (
    (SELECT e.xid FROM events e WHERE e.workspace_id = w.workspace_id AND e.xid >= (${NEXT} + ${CLOCK})::text::xid8 ORDER BY e.xid DESC, e.seq DESC LIMIT 1)
    UNION ALL SELECT w.xid WHERE w.xid >= (${NEXT} + ${CLOCK})::text::xid8) s ORDER BY s.xid DESC LIMIT 1`;

const RAISE = `INSERT INTO log_clock (id, "offset", raised_at)
  SELECT 1, a.highest + ${LEAP} - ${NEXT}, now() FROM (${HIGHEST_AHEAD}) a
  ON CONFLICT (id) DO UPDATE SET "offset" = EXCLUDED."offset", raised_at = EXCLUDED.raised_at`;

/** Also where nothing is ahead: a high counter says nothing of cursors handed out elsewhere. */
const RAISE_ALWAYS = `INSERT INTO log_clock (id, "offset", raised_at)
  SELECT 1, greatest(e.xid::text::bigint + ${LEAP} - ${NEXT}, ${CLOCK}), now() FROM (SELECT xid FROM events ORDER BY xid DESC LIMIT 1) e
  ON CONFLICT (id) DO UPDATE SET "offset" = EXCLUDED."offset", raised_at = EXCLUDED.raised_at`;

/** Raises the clock after a restore, in the transaction that holds all its tables. */
export async function raiseLogClock(client: pg.ClientBase): Promise<void> {
  await client.query(RAISE_ALWAYS);
}

/**
 * Raises the clock after a restore or move: transaction IDs start low again, and readers would miss what is stored. Locks out writers
 * meanwhile: an old offset that commits after a new one would be skipped. @returns `busy`: an append stayed open; call again
 */
export async function keepLogClock(client: pg.ClientBase): Promise<"kept" | "raised" | "busy"> {
  const { rowCount } = await client.query(HIGHEST_AHEAD);
  if (!rowCount) return "kept";
  try {
    await retryWhileBusy(() => raise(client, RAISE));
  } catch (error) {
    if (isLockBusy(error)) return "busy";
    throw error;
  }
  logger().warn("the log contains positions of another database cluster (it was restored or moved): raised the log clock");
  return "raised";
}

/** Raises the clock of a database that the server brought back to an earlier moment: clients hold cursors of events that are gone. */
export async function raiseClockOfRecovered(client: pg.ClientBase): Promise<void> {
  await retryWhileBusy(() => raise(client, RAISE_ALWAYS));
}

/** Checks regularly from a worker: a database may be restored or moved under a running installation. */
export const checkLogClock = () => onOwnConnection(pool("worker"), keepLogClock);

async function raise(client: pg.ClientBase, statement: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = '1s'");
    await client.query("LOCK TABLE events, views IN SHARE MODE");
    await client.query(statement);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

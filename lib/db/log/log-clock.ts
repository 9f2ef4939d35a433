import type pg from "pg";
import { onOwnConnection } from "#lib/db/connection/own-connection";
import { pool } from "#lib/db/pool";
import { isLockBusy, retryWhileBusy } from "#lib/db/retry-while-busy";
import { logger } from "#lib/observability/logger";

/**
 * Distance of a raise above the highest stored position: above every cursor that the cluster of before can have
 * handed out since the backup, unless it ran 4 billion transactions in that time.
 */
const LEAP = 2 ** 32;

const CLOCK = `coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0)`;
const NEXT = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
/**
 * A stored position that no transaction of this cluster has come to: of an event that this statement sees, or of the
 * place that workers have come to, whose events may have left the log since.
 */
const HIGHEST_AHEAD = `SELECT s.xid::text::bigint AS highest FROM log_places w CROSS JOIN LATERAL (
    (SELECT e.xid FROM events e WHERE e.workspace_id = w.workspace_id AND e.xid >= (${NEXT} + ${CLOCK})::text::xid8 ORDER BY e.xid DESC, e.seq DESC LIMIT 1)
    UNION ALL SELECT w.xid WHERE w.xid >= (${NEXT} + ${CLOCK})::text::xid8) s ORDER BY s.xid DESC LIMIT 1`;

const RAISE = `INSERT INTO log_clock (id, "offset", raised_at)
  SELECT 1, a.highest + ${LEAP} - ${NEXT}, now() FROM (${HIGHEST_AHEAD}) a
  ON CONFLICT (id) DO UPDATE SET "offset" = EXCLUDED."offset", raised_at = EXCLUDED.raised_at`;

/** The same wherever the log holds anything: a counter that happens to be high says nothing of the cursors handed out elsewhere. */
const RAISE_ALWAYS = `INSERT INTO log_clock (id, "offset", raised_at)
  SELECT 1, greatest(e.xid::text::bigint + ${LEAP} - ${NEXT}, ${CLOCK}), now() FROM (SELECT xid FROM events ORDER BY xid DESC LIMIT 1) e
  ON CONFLICT (id) DO UPDATE SET "offset" = EXCLUDED."offset", raised_at = EXCLUDED.raised_at`;

/** Raises the clock of a log that was just restored, in the transaction that holds all its tables. */
export async function raiseLogClock(client: pg.ClientBase): Promise<void> {
  await client.query(RAISE_ALWAYS);
}

/**
 * Raises the log's clock where the log holds positions that this cluster has not come to yet: after a restore, a
 * logical replication or a move, transaction ids start low again, and feed, search and rebuilds would not see what is
 * stored. Positions grow on from there, so cursors stay valid. Costs one index look-up when there is nothing to do.
 *
 * Appends and changes of views are locked out for the moment of the raise: one with the old offset that commits after
 * one with the new offset would be skipped.
 *
 * @returns `busy`: an append stayed open all the time; call again later
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

/**
 * Raises the clock of a database that was brought back to an earlier moment by the server's own means: clients hold cursors
 * of events that it no longer has, and nothing in it says so.
 */
export async function raiseClockOfRecovered(client: pg.ClientBase): Promise<void> {
  await retryWhileBusy(() => raise(client, RAISE_ALWAYS));
}

/** The same from a worker, by the clock: a database may be restored or moved under a running installation. */
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

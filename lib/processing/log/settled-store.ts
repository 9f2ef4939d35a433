import type pg from "pg";

/** A range that has ended so long ago is settled: the worker that applied it has nothing more to do with its events. */
const SETTLED_AFTER = "interval '5 seconds'";

/**
 * Where the log is not settled any more: the first event that waits to be applied, or was until a few seconds ago. All
 * workspaces together.
 *
 * @returns its position; null when nothing waits
 */
export async function findSettledEnd(client: pg.PoolClient): Promise<{ xid: string; seq: number } | null> {
  const { rows } = await client.query<{ xid: string; seq: number }>({
    name: "log-settled",
    text: `SELECT t.xid::text AS xid, t.seq FROM (
        SELECT g.from_xid AS xid, g.from_seq + 1 AS seq FROM log_ranges g WHERE g.ended_at IS NULL OR g.ended_at > now() - ${SETTLED_AFTER}
        UNION ALL SELECT w.xid, w.seq FROM log_places p CROSS JOIN LATERAL waiting_in_log(p.workspace_id, 1) w) t
      ORDER BY t.xid, t.seq LIMIT 1`,
  });
  return rows[0] ?? null;
}

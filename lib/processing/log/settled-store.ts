import type pg from "pg";

/** A range that has ended so long ago is settled: the worker that applied it has nothing more to do with its events. */
const SETTLED_AFTER = "interval '5 seconds'";

/**
 * Returns where the log is not settled any more: the first event that waits to be applied, or was until a few seconds ago. All
 * workspaces together.
 *
 * @returns its position; null when nothing waits
 */
export async function findSettledEnd(client: pg.PoolClient): Promise<{ xid: string; seq: number } | null> {
  const { rows } = await client.query<{ xid: string; seq: number }>({
    name: "log-settled",
    text: `SELECT t.xid::text AS xid, t.seq FROM (
        SELECT e.xid, e.seq FROM log_ranges g CROSS JOIN LATERAL (
          SELECT e.xid, e.seq FROM events e WHERE e.workspace_id = g.workspace_id AND (e.xid, e.seq) > (g.from_xid, g.from_seq)
          ORDER BY e.xid, e.seq LIMIT 1) e
        WHERE g.ended_at IS NULL OR g.ended_at BETWEEN now() - ${SETTLED_AFTER} AND now()
        UNION ALL SELECT w.xid, w.seq FROM log_places p CROSS JOIN LATERAL waiting_in_log(p.workspace_id, 1) w) t
      ORDER BY t.xid, t.seq LIMIT 1`,
  });
  return rows[0] ?? null;
}

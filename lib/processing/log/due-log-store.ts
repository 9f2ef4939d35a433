import { pool } from "#lib/db/pool";
import type { DueWorkspace } from "#lib/processing/due-workspace-store";

/** What a look at the log found. */
export type DueInLog = {
  due: DueWorkspace[];
  /** True if committed events of other workspaces lie beyond the horizon: they are due as soon as it has moved. */
  held: boolean;
};

/**
 * The workspaces whose logs have events to hand out, in the order of their ids: below the log's horizon, behind the
 * workspace's place, or in a range that was given back. One look at an index for each workspace: not EXISTS, for which
 * the planner expects to find one soon wherever it begins, and reads the whole log where there is none.
 *
 * @param countTo how far each one's events are counted
 */
export async function listDueInLog(countTo: number): Promise<DueInLog> {
  const { rows } = await pool("worker").query<{ workspace_id: DueWorkspace["workspaceId"]; waiting: number }>({
    name: "log-due",
    text: `SELECT p.workspace_id, n.waiting FROM log_places p CROSS JOIN LATERAL (
        SELECT count(*) AS waiting FROM (
          (SELECT 1 FROM events e WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < (SELECT log_horizon())
            ORDER BY e.xid, e.seq LIMIT $1)
          UNION ALL (SELECT 1 FROM log_ranges g WHERE g.workspace_id = p.workspace_id AND g.ended_at IS NULL AND g.state = 'waiting' LIMIT 1)) t) n
      WHERE n.waiting > 0
        OR (SELECT true FROM events e WHERE e.workspace_id = p.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) ORDER BY e.xid, e.seq LIMIT 1)
      ORDER BY p.workspace_id`,
    values: [countTo],
  });
  const due = rows.filter(({ waiting }) => waiting > 0).map(({ workspace_id, waiting }) => ({ workspaceId: workspace_id, waiting }));
  return { due, held: due.length < rows.length };
}

import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { DueWorkspace } from "#lib/processing/due-workspace-store";

export type DueInLog = {
  due: DueWorkspace[];
  /** True if committed events of other workspaces lie beyond the horizon: they are due as soon as it has moved. */
  held: boolean;
};

/** Lists workspaces with events to hand out. Not by EXISTS: the planner expects a row soon, and reads the whole log where there is none. */
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

/** After this time the worker that applied a range has nothing more to do with its events. */
const SETTLED_AFTER = "interval '5 seconds'";

/** Returns the position of the first event that waits to be applied, or was until a few seconds ago; null when nothing waits. */
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

/** Events looked at per log: it is in the order of commits, nearly that of receipt. */
const FIRST = 100;

export type LogPicture = { at: Date; position: string; waiting: { workspaceId: WorkspaceId; since: Date }[] };

/** Reads all in one statement, so that events that don't wait were applied by transactions below the position. */
export async function readLogPicture(client: pg.ClientBase): Promise<LogPicture> {
  const { rows } = await client.query<{ at: Date; position: string; workspaceId: WorkspaceId | null; since: Date }>(
    `SELECT statement_timestamp() AS at, w."workspaceId", w.since, (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0))::text AS position
     FROM (SELECT 1) one LEFT JOIN (
       SELECT p.workspace_id AS "workspaceId", min(t.received_at) AS since FROM log_places p CROSS JOIN LATERAL (
         SELECT i.received_at FROM inbox i WHERE i.workspace_id = p.workspace_id AND i.redelivery_id IS NULL
         UNION ALL SELECT l.received_at FROM waiting_in_log(p.workspace_id, ${FIRST}) l) t
       GROUP BY p.workspace_id) w ON true`,
  );
  const [first] = rows;
  if (!first) throw new Error("the database has no time");
  return { ...first, waiting: rows.flatMap(({ workspaceId, since }) => (workspaceId ? [{ workspaceId, since }] : [])) };
}

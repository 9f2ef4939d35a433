import { newId, type WorkspaceId } from "#lib/contracts/ids";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";
import { inTransaction, pool } from "#lib/db/pool";

type Row = {
  id: string;
  state: ViewRebuild["state"];
  dry_run: boolean;
  phase: ViewRebuild["phase"];
  done: number;
  total: number;
  requested_by: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  report: RebuildReport | null;
  failure: string | null;
};

const COLUMNS = "id, state, dry_run, phase, done, total, requested_by, created_at, started_at, finished_at, report, failure";
const KEPT = 20;

const rebuildOf = (row: Row): ViewRebuild => ({
  id: row.id,
  state: row.state,
  dryRun: row.dry_run,
  phase: row.phase,
  done: row.done,
  total: row.total,
  requestedBy: row.requested_by,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
  failure: row.failure,
  report: row.report,
});

/**
 * Queues a rebuild. A workspace has one at a time: while another waits or runs, that one is answered.
 *
 * @param runner the process that runs it itself at once; null to leave it to a worker
 */
export async function insertRebuild(
  workspaceId: WorkspaceId,
  { dryRun, requestedBy, runner }: { dryRun: boolean; requestedBy: string; runner: string | null },
): Promise<{ outcome: "started" | "busy"; rebuild: ViewRebuild }> {
  return inTransaction(pool(), async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('view_rebuilds'), hashtext($1))", [workspaceId]);
    const { rows: busy } = await client.query<Row>(
      `SELECT ${COLUMNS} FROM view_rebuilds WHERE workspace_id = $1 AND state IN ('queued', 'running') LIMIT 1`,
      [workspaceId],
    );
    if (busy[0]) return { outcome: "busy", rebuild: rebuildOf(busy[0]) };
    await client.query(
      `DELETE FROM view_rebuilds WHERE id IN (SELECT id FROM view_rebuilds WHERE workspace_id = $1 ORDER BY created_at DESC OFFSET ${KEPT})`,
      [workspaceId],
    );
    const { rows } = await client.query<Row>(
      `INSERT INTO view_rebuilds (id, workspace_id, state, dry_run, requested_by, runner, started_at, beat_at)
       VALUES ($1, $2, CASE WHEN $5::text IS NULL THEN 'queued' ELSE 'running' END, $3, $4, $5,
         CASE WHEN $5::text IS NOT NULL THEN now() END, CASE WHEN $5::text IS NOT NULL THEN now() END)
       RETURNING ${COLUMNS}`,
      [newId("reb"), workspaceId, dryRun, requestedBy, runner],
    );
    const [row] = rows;
    if (!row) throw new Error("the rebuild was not inserted");
    return { outcome: "started", rebuild: rebuildOf(row) };
  });
}

/** The latest rebuilds, newest first. */
export async function listRebuilds(workspaceId: WorkspaceId): Promise<ViewRebuild[]> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM view_rebuilds WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT ${KEPT}`,
    [workspaceId],
  );
  return rows.map(rebuildOf);
}

/** One rebuild; null when the workspace has none of that id. */
export async function findRebuild(workspaceId: WorkspaceId, id: string): Promise<ViewRebuild | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM view_rebuilds WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]);
  return rows[0] ? rebuildOf(rows[0]) : null;
}

/** Stops one that waits at once, and asks one that runs to stop. @returns false when the workspace has none of that id */
export async function requestStop(workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE view_rebuilds SET stop_requested = state IN ('queued', 'running'),
       finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
       state = CASE WHEN state = 'queued' THEN 'stopped' ELSE state END
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );
  return rowCount === 1;
}

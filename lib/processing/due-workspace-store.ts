import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

export type DueWorkspace = { workspaceId: WorkspaceId; waiting: number };

/** Lists workspaces with first deliveries due. Steps through the index, so that a long queue costs no more than a short one. */
export async function listDueWorkspaces(countTo: number): Promise<DueWorkspace[]> {
  const { rows } = await pool("worker").query<{ workspace_id: WorkspaceId; waiting: number }>(
    `WITH RECURSIVE w AS (
       (SELECT workspace_id FROM inbox ORDER BY workspace_id LIMIT 1)
       UNION ALL
       SELECT (SELECT i.workspace_id FROM inbox i WHERE i.workspace_id > w.workspace_id ORDER BY i.workspace_id LIMIT 1)
       FROM w WHERE w.workspace_id IS NOT NULL)
     SELECT w.workspace_id, d.waiting FROM w CROSS JOIN LATERAL (
       SELECT count(*) AS waiting FROM (
         SELECT 1 FROM inbox i WHERE i.workspace_id = w.workspace_id AND i.due_at <= now() AND i.attempts = 0 LIMIT $1) t) d
     WHERE w.workspace_id IS NOT NULL AND d.waiting > 0 ORDER BY w.workspace_id`,
    [countTo],
  );
  return rows.map(({ workspace_id, waiting }) => ({ workspaceId: workspace_id, waiting }));
}

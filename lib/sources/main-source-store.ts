import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** The source that stands for its workspace where one is to be had. */
export type MainSource = { workspaceId: WorkspaceId; name: string };

/** Each workspace's oldest source, across workspaces; the one of that name before any other. */
export async function listMainSources(first: string): Promise<MainSource[]> {
  const { rows } = await pool("worker").query<MainSource>(
    `SELECT DISTINCT ON (workspace_id) workspace_id AS "workspaceId", name FROM sources
     ORDER BY workspace_id, (name = $1) DESC, created_at, id`,
    [first],
  );
  return rows;
}

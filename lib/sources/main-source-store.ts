import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** The source that stands for its workspace where one is to be had. */
export type MainSource = { workspaceId: WorkspaceId; name: string };

/**
 * Returns the source that the next start would make again, so it is never archived; null before there is one.
 *
 * @param first the name of the installation's own
 */
export async function findMainSource(
  workspaceId: WorkspaceId,
  first: string,
  from: pg.Pool | pg.PoolClient = pool(),
): Promise<SourceId | null> {
  const { rows } = await from.query<{ id: SourceId }>(
    "SELECT id FROM sources WHERE workspace_id = $1 ORDER BY (name = $2) DESC, created_at, id LIMIT 1",
    [workspaceId, first],
  );
  return rows[0]?.id ?? null;
}

/** Each workspace's oldest source, across workspaces; the one of that name before any other. */
export async function listMainSources(first: string): Promise<MainSource[]> {
  const { rows } = await pool("worker").query<MainSource>(
    `SELECT DISTINCT ON (workspace_id) workspace_id AS "workspaceId", name FROM sources
     ORDER BY workspace_id, (name = $1) DESC, created_at, id`,
    [first],
  );
  return rows;
}

import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { FOLD_VERSION } from "#lib/views/definition/fold-version";

/** The workspaces whose records were made by an earlier fold than today's. */
export async function listOutdated(from: pg.Pool = pool("worker")): Promise<WorkspaceId[]> {
  const { rows } = await from.query<{ id: WorkspaceId }>(
    "SELECT workspace_id AS id FROM view_folds WHERE fold < $1 ORDER BY workspace_id",
    [FOLD_VERSION],
  );
  return rows.map(({ id }) => id);
}

/** Notes of the workspaces that are new that today's fold makes their records. */
export async function adoptNew(): Promise<void> {
  await pool("worker").query("INSERT INTO view_folds (workspace_id, fold) SELECT id, $1 FROM workspaces ON CONFLICT DO NOTHING", [
    FOLD_VERSION,
  ]);
}

/** Notes that today's fold has made the records of a workspace. */
export async function saveFold(from: pg.Pool | pg.ClientBase, workspaceId: WorkspaceId): Promise<void> {
  await from.query(
    `INSERT INTO view_folds AS f (workspace_id, fold) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET fold = greatest(f.fold, EXCLUDED.fold)`,
    [workspaceId, FOLD_VERSION],
  );
}

import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { FOLD_VERSION } from "./definitions.ts";

export async function listOutdated(from: pg.Pool = pool("worker")): Promise<WorkspaceId[]> {
  const { rows } = await from.query<{ id: WorkspaceId }>(
    "SELECT workspace_id AS id FROM view_folds WHERE fold < $1 ORDER BY workspace_id",
    [FOLD_VERSION],
  );
  return rows.map(({ id }) => id);
}

export async function isOutdated(workspaceId: WorkspaceId): Promise<boolean> {
  const { rowCount } = await pool().query("SELECT FROM view_folds WHERE workspace_id = $1 AND fold < $2", [workspaceId, FOLD_VERSION]);
  return rowCount === 1;
}

/** Notes for new workspaces that today's fold makes their records, and that nothing has left their logs. */
export async function adoptNew(): Promise<void> {
  await pool("worker").query(
    "INSERT INTO view_folds (workspace_id, fold, bases_since) SELECT id, $1, now() FROM workspaces ON CONFLICT DO NOTHING",
    [FOLD_VERSION],
  );
}

/** A workspace of which it is not known yet what had left its log before bases were kept. */
export type WithoutBases = { workspaceId: WorkspaceId; createdAt: Date; retentionDays: number };

export async function listWithoutBases(only: WorkspaceId | null): Promise<WithoutBases[]> {
  const { rows } = await pool("worker").query<WithoutBases>(
    `SELECT w.id AS "workspaceId", w.created_at AS "createdAt", w.retention_days AS "retentionDays" FROM view_folds f JOIN workspaces w ON w.id = f.workspace_id
     WHERE f.bases_since IS NULL AND ($1::text IS NULL OR w.id = $1) ORDER BY w.id`,
    [only],
  );
  return rows;
}

export async function hasBases(client: pg.ClientBase, workspaceId: WorkspaceId): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM view_folds WHERE workspace_id = $1 AND bases_since IS NOT NULL", [workspaceId]);
  return rowCount === 1;
}

/** Notes that from now on events leave a workspace's log only into the bases of their records. */
export async function saveBasesSince(workspaceId: WorkspaceId): Promise<void> {
  await pool("worker").query("UPDATE view_folds SET bases_since = now() WHERE workspace_id = $1 AND bases_since IS NULL", [workspaceId]);
}

export async function saveFold(from: pg.Pool | pg.ClientBase, workspaceId: WorkspaceId): Promise<void> {
  await from.query(
    `INSERT INTO view_folds AS f (workspace_id, fold) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET fold = greatest(f.fold, EXCLUDED.fold)`,
    [workspaceId, FOLD_VERSION],
  );
}

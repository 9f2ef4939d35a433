import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/**
 * True if a grant that is kept may be of this account: one of the connection
 * itself, unless both accounts are known and differ, or one of any connection
 * that names the same account. All workspaces count: to the platform they are
 * one app.
 *
 * @param account null when the platform did not name it
 */
export async function mayShareAccount(id: ConnectionId, account: string | null): Promise<boolean> {
  const { rows } = await pool().query(
    `SELECT 1 FROM connections c JOIN connection_tokens t ON t.connection_id = c.id
      WHERE c.account = $2 OR (c.id = $1 AND (c.account IS NULL OR $2::text IS NULL)) LIMIT 1`,
    [id, account],
  );
  return rows.length > 0;
}

/** True if this database knows the workspace: a file beside it may belong to another one. */
export async function isWorkspaceKnown(workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await pool().query("SELECT 1 FROM workspaces WHERE id = $1", [workspaceId]);
  return rows.length > 0;
}

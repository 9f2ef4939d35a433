import type pg from "pg";
import { forgetRememberedDevices } from "#lib/auth/sign-in/known-device-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { deleteRecoveryCodes } from "./recovery-code-store.ts";

/** Locks the person's row, so that changes of their factors take turns. @returns whether the account has a password */
export async function lockPerson(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rows } = await client.query<{ hasPassword: boolean }>(
    'SELECT password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR UPDATE',
    [userId],
  );
  return rows[0]?.hasPassword ?? false;
}

/** Returns whether the person has a second factor; recovery codes only stand in for one. */
export async function hasFactor(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL
     UNION ALL SELECT 1 FROM passkeys WHERE user_id = $1 LIMIT 1`,
    [userId],
  );
  return rowCount === 1;
}

/** Returns whether a workspace of the person requires a second factor. */
export async function isFactorRequired(userId: string, client: pg.PoolClient | pg.Pool = pool()): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM memberships m JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = $1 AND w.requires_second_factor LIMIT 1`,
    [userId],
  );
  return rowCount === 1;
}

/** Removes a person's factors, with the recovery codes and the remembered browsers. @returns how many factors */
export async function deleteFactors(client: pg.PoolClient, userId: string): Promise<number> {
  const totp = await client.query("DELETE FROM totp_factors WHERE user_id = $1 RETURNING confirmed_at", [userId]);
  const passkeys = await client.query("DELETE FROM passkeys WHERE user_id = $1", [userId]);
  await forgetWithFactors(client, userId);
  return totp.rows.filter((row: { confirmed_at: Date | null }) => row.confirmed_at !== null).length + (passkeys.rowCount ?? 0);
}

/** Removes what stands in for factors: recovery codes and remembered browsers. */
export async function forgetWithFactors(client: pg.PoolClient, userId: string): Promise<void> {
  await deleteRecoveryCodes(client, userId);
  await forgetRememberedDevices(client, userId, null);
}

/** Returns whether the workspace requires a second factor of members who sign in with a password. */
export async function findSignInPolicy(workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await pool().query<{ required: boolean }>("SELECT requires_second_factor AS required FROM workspaces WHERE id = $1", [
    workspaceId,
  ]);
  return rows[0]?.required ?? false;
}

/** Sets it. @returns false when it was so already */
export async function updateSignInPolicy(client: pg.PoolClient, workspaceId: WorkspaceId, required: boolean): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE workspaces SET requires_second_factor = $2 WHERE id = $1 AND requires_second_factor <> $2",
    [workspaceId, required],
  );
  return rowCount === 1;
}

/** Returns the person's workspaces that the other is not an owner of. */
export async function countForeignWorkspaces(client: pg.PoolClient, userId: string, ownerId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM memberships m WHERE m.user_id = $1 AND NOT EXISTS
       (SELECT FROM memberships o WHERE o.workspace_id = m.workspace_id AND o.user_id = $2 AND o.role = 'owner')`,
    [userId, ownerId],
  );
  return rows[0]?.count ?? 0;
}

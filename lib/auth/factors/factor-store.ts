import type pg from "pg";
import { forgetRememberedDevices } from "#lib/auth/sign-in/known-device-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { deleteRecoveryCodes } from "./recovery-code-store.ts";

/** Locks the person's row, so that changes of factors take turns. @returns whether the account has a password */
export async function lockPerson(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rows } = await client.query<{ hasPassword: boolean }>(
    'SELECT password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR UPDATE',
    [userId],
  );
  return rows[0]?.hasPassword ?? false;
}

/** True with a second factor; recovery codes only stand in for one. */
export async function hasFactor(client: pg.PoolClient, userId: string): Promise<boolean> {
  const either = [{ totpFactor: { confirmedAt: { not: null } } }, { passkeys: { some: {} } }];
  return (await prisma(client).user.count({ where: { id: userId, OR: either } })) === 1;
}

export async function isFactorRequired(userId: string, client: pg.PoolClient | pg.Pool = pool()): Promise<boolean> {
  return (await prisma(client).membership.count({ where: { userId, workspace: { requiresSecondFactor: true } } })) > 0;
}

export async function deleteFactors(client: pg.PoolClient, userId: string): Promise<number> {
  const totp = await client.query("DELETE FROM totp_factors WHERE user_id = $1 RETURNING confirmed_at", [userId]);
  const passkeys = await prisma(client).passkey.deleteMany({ where: { userId } });
  await forgetWithFactors(client, userId);
  return totp.rows.filter((row: { confirmed_at: Date | null }) => row.confirmed_at !== null).length + passkeys.count;
}

export async function forgetWithFactors(client: pg.PoolClient, userId: string): Promise<void> {
  await deleteRecoveryCodes(client, userId);
  await forgetRememberedDevices(client, userId, null);
}

export async function findSignInPolicy(workspaceId: WorkspaceId): Promise<boolean> {
  const found = await prisma().workspace.findFirst({ where: { id: workspaceId }, select: { requiresSecondFactor: true } });
  return found?.requiresSecondFactor ?? false;
}

export async function updateSignInPolicy(client: pg.PoolClient, workspaceId: WorkspaceId, required: boolean): Promise<boolean> {
  const { count } = await prisma(client).workspace.updateMany({
    where: { id: workspaceId, requiresSecondFactor: !required },
    data: { requiresSecondFactor: required },
  });
  return count === 1;
}

/** Counts the person's workspaces that `ownerId` doesn't own. */
export async function countForeignWorkspaces(client: pg.PoolClient, userId: string, ownerId: string): Promise<number> {
  return prisma(client).membership.count({
    where: { userId, workspace: { memberships: { none: { userId: ownerId, role: "owner" } } } },
  });
}

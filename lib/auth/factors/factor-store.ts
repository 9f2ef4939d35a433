import { randomInt } from "node:crypto";
import type pg from "pg";
import { forgetRememberedDevices } from "#lib/auth/sign-in/attempt-store";
import { pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { changesOne } from "#lib/db/rows";
import { hashToken } from "#lib/vault/opaque-token";
import { open, seal } from "#lib/vault/vault";

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

export async function isFactorRequired(userId: string, client: Connection = pool()): Promise<boolean> {
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

/** Counts the person's workspaces that `ownerId` doesn't own. */
export async function countForeignWorkspaces(client: pg.PoolClient, userId: string, ownerId: string): Promise<number> {
  return prisma(client).membership.count({
    where: { userId, workspace: { memberships: { none: { userId: ownerId, role: "owner" } } } },
  });
}

const placeOf = (userId: string) => ({ workspaceId: userId, table: "totp_factors", row: userId, field: "sealed" });

/** Stores the secret of an app being set up; false if one is set up already. */
export async function insertTotpSecret(userId: string, secret: string, now: Date): Promise<boolean> {
  const { sealed, keyId } = await seal(secret, placeOf(userId));
  return changesOne(
    pool(),
    `INSERT INTO totp_factors AS t (user_id, sealed, key_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, key_id = excluded.key_id, created_at = excluded.created_at
      WHERE t.confirmed_at IS NULL`,
    [userId, sealed, keyId, now],
  );
}

/** `sealed` identifies the secret: sealing another makes another text. */
type TotpSecret = { secret: string; sealed: string };

/** Returns null without one, and where its vault key was forgotten. */
export async function findTotpSecret(userId: string, state: "confirmed" | "started"): Promise<TotpSecret | null> {
  const confirmedAt = state === "confirmed" ? { not: null } : null;
  const found = await prisma().totpFactor.findFirst({ where: { userId, confirmedAt }, select: { sealed: true } });
  return found?.sealed ? { secret: await open(found.sealed, placeOf(userId)), sealed: found.sealed } : null;
}

/** Confirms the app with its first code; false if it was confirmed before or `sealed` has been replaced by another set-up. */
export async function confirmTotp(
  client: pg.PoolClient,
  userId: string,
  { step, sealed }: { step: number; sealed: string },
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(client).totpFactor.updateMany({
    where: { userId, confirmedAt: null, sealed },
    data: { confirmedAt: now, lastStep: step },
  });
  return count === 1;
}

/** Uses up a code; false for a used or an older one. */
export async function claimTotpStep(client: pg.PoolClient, userId: string, step: number): Promise<boolean> {
  const { count } = await prisma(client).totpFactor.updateMany({
    where: { userId, confirmedAt: { not: null }, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}

export async function findTotpSince(userId: string): Promise<string | null> {
  const found = await prisma().totpFactor.findFirst({ where: { userId }, select: { confirmedAt: true } });
  return found?.confirmedAt?.toISOString() ?? null;
}

export async function deleteTotp(client: pg.PoolClient, userId: string): Promise<boolean> {
  return (await prisma(client).totpFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } })).count === 1;
}

/** Erases secrets whose vault key was forgotten: the factor stays, and no code fits it. */
export async function eraseTotpSecrets(keyIds: string[]): Promise<number> {
  const { count } = await prisma().totpFactor.updateMany({
    where: { sealed: { not: null }, keyId: { in: keyIds } },
    data: { sealed: null, keyId: null },
  });
  return count;
}

const CODES = 10;
/** 32 characters (5 bits each), without look-alikes. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

const newCode = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")).join("-");

/** Hashes a code, however it is spaced; 100 random bits need no salt. */
const hashOf = (userId: string, code: string): string => hashToken(`${userId} ${code.toLowerCase().replaceAll(/[\s-]/g, "")}`);

/** Returns the new codes, which are stored only as hashes. */
export async function replaceRecoveryCodes(client: pg.PoolClient, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await deleteRecoveryCodes(client, userId);
  await prisma(client).recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })) });
  return codes;
}

/** Uses up a code. @returns how many are left; null for a wrong or used one */
export async function claimRecoveryCode(client: pg.PoolClient, userId: string, code: string, now: Date): Promise<number | null> {
  const { count } = await prisma(client).recoveryCode.updateMany({
    where: { userId, codeHash: hashOf(userId, code), usedAt: null },
    data: { usedAt: now },
  });
  return count === 1 ? countRecoveryCodes(userId, client) : null;
}

export async function countRecoveryCodes(userId: string, client: Connection = pool()): Promise<number> {
  return prisma(client).recoveryCode.count({ where: { userId, usedAt: null } });
}

async function deleteRecoveryCodes(client: pg.PoolClient, userId: string): Promise<void> {
  await prisma(client).recoveryCode.deleteMany({ where: { userId } });
}

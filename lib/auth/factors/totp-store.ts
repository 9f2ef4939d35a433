import type pg from "pg";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { open, seal } from "#lib/vault/vault";

const placeOf = (userId: string) => ({ workspaceId: userId, table: "totp_factors", row: userId, field: "sealed" });

/** Stores the secret of an app being set up; false if one is set up already. */
export async function insertTotpSecret(userId: string, secret: string, now: Date): Promise<boolean> {
  const { sealed, keyId } = await seal(secret, placeOf(userId));
  const { rowCount } = await pool().query(
    `INSERT INTO totp_factors AS t (user_id, sealed, key_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, key_id = excluded.key_id, created_at = excluded.created_at
      WHERE t.confirmed_at IS NULL`,
    [userId, sealed, keyId, now],
  );
  return rowCount === 1;
}

/** `sealed` identifies the secret: sealing another makes another text. */
export type TotpSecret = { secret: string; sealed: string };

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

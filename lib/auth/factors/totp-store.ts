import type pg from "pg";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { open, seal } from "#lib/vault/vault";

const placeOf = (userId: string) => ({ workspaceId: userId, table: "totp_factors", row: userId, field: "sealed" });

/** Keeps the secret of an authenticator app that is being set up. @returns false when one is set up already */
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

/** The secret of a person's authenticator app, and how it is stored: whoever replaces it seals another text. */
export type TotpSecret = { secret: string; sealed: string };

/**
 * Returns the secret of a person's authenticator app.
 *
 * @param state `confirmed`: it is set up; `started`: it is being set up
 * @returns null without one, and for one whose vault key is given up
 */
export async function findTotpSecret(userId: string, state: "confirmed" | "started"): Promise<TotpSecret | null> {
  const confirmedAt = state === "confirmed" ? { not: null } : null;
  const found = await prisma().totpFactor.findFirst({ where: { userId, confirmedAt }, select: { sealed: true } });
  return found?.sealed ? { secret: await open(found.sealed, placeOf(userId)), sealed: found.sealed } : null;
}

/**
 * Sets the authenticator app up, with the step of its first code.
 *
 * @param sealed of the secret that the code was checked against: the set-up may have been begun again meanwhile
 * @returns false when somebody else was first, or the secret is another by now
 */
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

/** Uses a code up. @returns false for one that was used before, and for one before that */
export async function claimTotpStep(client: pg.PoolClient, userId: string, step: number): Promise<boolean> {
  const { count } = await prisma(client).totpFactor.updateMany({
    where: { userId, confirmedAt: { not: null }, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}

/** Returns since when an authenticator app is set up; null without one. */
export async function findTotpSince(userId: string): Promise<string | null> {
  const found = await prisma().totpFactor.findFirst({ where: { userId }, select: { confirmedAt: true } });
  return found?.confirmedAt?.toISOString() ?? null;
}

/** Removes the authenticator app. @returns false without one */
export async function deleteTotp(client: pg.PoolClient, userId: string): Promise<boolean> {
  return (await prisma(client).totpFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } })).count === 1;
}

/** Erases secrets whose vault key is given up: the factor stays, and no code fits it any more. @returns how many */
export async function eraseTotpSecrets(keyIds: string[]): Promise<number> {
  const { count } = await prisma().totpFactor.updateMany({
    where: { sealed: { not: null }, keyId: { in: keyIds } },
    data: { sealed: null, keyId: null },
  });
  return count;
}

import type pg from "pg";
import { pool } from "#lib/db/pool";
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

/**
 * Returns the secret of a person's authenticator app.
 *
 * @param state `confirmed`: it is set up; `started`: it is being set up
 * @returns null without one, and for one whose vault key is given up
 */
export async function findTotpSecret(userId: string, state: "confirmed" | "started"): Promise<string | null> {
  const { rows } = await pool().query<{ sealed: string | null }>(
    "SELECT sealed FROM totp_factors WHERE user_id = $1 AND (confirmed_at IS NOT NULL) = $2",
    [userId, state === "confirmed"],
  );
  const sealed = rows[0]?.sealed;
  return sealed ? open(sealed, placeOf(userId)) : null;
}

/** Sets the authenticator app up, with the step of its first code. @returns false when somebody else was first, or the secret is another by now */
export async function confirmTotp(client: pg.PoolClient, userId: string, step: number, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE totp_factors SET confirmed_at = $3, last_step = $2 WHERE user_id = $1 AND confirmed_at IS NULL",
    [userId, step, now],
  );
  return rowCount === 1;
}

/** Uses a code up. @returns false for one that was used before, and for one before that */
export async function claimTotpStep(client: pg.PoolClient, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE totp_factors SET last_step = $2 WHERE user_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2",
    [userId, step],
  );
  return rowCount === 1;
}

/** Returns since when an authenticator app is set up; null without one. */
export async function findTotpSince(userId: string): Promise<string | null> {
  const { rows } = await pool().query<{ at: Date | null }>("SELECT confirmed_at AS at FROM totp_factors WHERE user_id = $1", [userId]);
  return rows[0]?.at?.toISOString() ?? null;
}

/** Removes the authenticator app. @returns false without one */
export async function deleteTotp(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL", [userId]);
  return rowCount === 1;
}

/** Erases secrets whose vault key is given up: the factor stays, and no code fits it any more. @returns how many */
export async function eraseTotpSecrets(keyIds: string[]): Promise<number> {
  const { rowCount } = await pool().query(
    "UPDATE totp_factors SET sealed = NULL, key_id = NULL WHERE sealed IS NOT NULL AND key_id = ANY($1)",
    [keyIds],
  );
  return rowCount ?? 0;
}

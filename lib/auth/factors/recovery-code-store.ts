import { randomInt } from "node:crypto";
import type pg from "pg";
import { pool } from "#lib/db/pool";
import { hashToken } from "#lib/vault/opaque-token";

const CODES = 10;
/** Without what looks alike: 32 characters, 5 bits each. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

const newCode = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")).join("-");

/** The hash of a code of a person, however it is spaced; 100 random bits need no salt. */
const hashOf = (userId: string, code: string): string => hashToken(`${userId} ${code.toLowerCase().replaceAll(/[\s-]/g, "")}`);

/** Replaces a person's recovery codes. @returns the new ones, which are shown once and kept nowhere */
export async function replaceRecoveryCodes(client: pg.PoolClient, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await deleteRecoveryCodes(client, userId);
  await client.query("INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])", [
    userId,
    codes.map((code) => hashOf(userId, code)),
  ]);
  return codes;
}

/** Uses a recovery code up. @returns how many are left; null for a wrong or a used one */
export async function claimRecoveryCode(client: pg.PoolClient, userId: string, code: string, now: Date): Promise<number | null> {
  const { rowCount } = await client.query(
    "UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL",
    [userId, hashOf(userId, code), now],
  );
  return rowCount === 1 ? countRecoveryCodes(userId, client) : null;
}

/** Returns how many recovery codes a person has left. */
export async function countRecoveryCodes(userId: string, client: pg.PoolClient | pg.Pool = pool()): Promise<number> {
  const { rows } = await client.query<{ left: number }>(
    "SELECT count(*)::int AS left FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL",
    [userId],
  );
  return rows[0]?.left ?? 0;
}

/** Removes a person's recovery codes. */
export async function deleteRecoveryCodes(client: pg.PoolClient, userId: string): Promise<void> {
  await client.query("DELETE FROM recovery_codes WHERE user_id = $1", [userId]);
}

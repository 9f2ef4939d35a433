import type pg from "pg";
import { newId } from "#lib/contracts/api/ids";
import type { Passkey } from "#lib/contracts/auth/factors";
import { pool } from "#lib/db/pool";

/** A person has so many at most. */
const MAX_PASSKEYS = 10;

export type NewPasskey = { credentialId: string; name: string; publicKey: Uint8Array; counter: number; transports: string[]; now: Date };

/** Keeps a passkey; the caller has locked the person's row. @returns its id; null when the person has ten, or the credential is somebody's */
export async function insertPasskey(client: pg.PoolClient, userId: string, passkey: NewPasskey): Promise<string | null> {
  const { credentialId, name, publicKey, counter, transports, now } = passkey;
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO passkeys (id, user_id, credential_id, name, public_key, counter, transports, created_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) FROM passkeys WHERE user_id = $2) < ${MAX_PASSKEYS}
     ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
    [newId("pky"), userId, credentialId, name, Buffer.from(publicKey), counter, transports, now],
  );
  return rows[0]?.id ?? null;
}

/** Returns a person's passkeys, the oldest first. */
export async function listPasskeys(userId: string): Promise<Passkey[]> {
  const { rows } = await pool().query<{ id: string; name: string; createdAt: Date; lastUsedAt: Date | null }>(
    `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`,
    [userId],
  );
  return rows.map(({ createdAt, lastUsedAt, ...passkey }) => ({
    ...passkey,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Returns the credentials of a person, as the browser is asked for them. */
export async function listCredentials(userId: string): Promise<{ id: string; transports: string[] }[]> {
  const { rows } = await pool().query<{ id: string; transports: string[] }>(
    "SELECT credential_id AS id, transports FROM passkeys WHERE user_id = $1",
    [userId],
  );
  return rows;
}

/** A passkey with what its signature is checked against. */
export type StoredPasskey = { id: string; userId: string; name: string; publicKey: Buffer; counter: number };

/** Returns the passkey of a credential, whoever has it. */
export async function findPasskey(credentialId: string): Promise<StoredPasskey | null> {
  const { rows } = await pool().query<StoredPasskey>(
    `SELECT id, user_id AS "userId", name, public_key AS "publicKey", counter::float8 AS counter FROM passkeys WHERE credential_id = $1`,
    [credentialId],
  );
  return rows[0] ?? null;
}

/** Notes a use with the authenticator's new counter. @returns false when the passkey is gone, or another use came between */
export async function markPasskeyUsed(client: pg.PoolClient, { id, counter }: StoredPasskey, next: number, now: Date): Promise<boolean> {
  const { rowCount } = await client.query("UPDATE passkeys SET counter = $3, last_used_at = $4 WHERE id = $1 AND counter = $2", [
    id,
    counter,
    next,
    now,
  ]);
  return rowCount === 1;
}

/** Removes a person's passkey. @returns its name; null when they have none of that id */
export async function deletePasskey(client: pg.PoolClient, userId: string, id: string): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>("DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING name", [userId, id]);
  return rows[0]?.name ?? null;
}

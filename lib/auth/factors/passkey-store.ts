import type pg from "pg";
import { newId } from "#lib/contracts/api/ids";
import type { Passkey } from "#lib/contracts/auth/factors";
import { prisma } from "#lib/db/prisma";

const MAX_PASSKEYS = 10;

export type NewPasskey = { credentialId: string; name: string; publicKey: Uint8Array; counter: number; transports: string[]; now: Date };

/** Adds a passkey; the caller has locked the person's row. @returns null for an eleventh, or a credential already registered */
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

export async function listPasskeys(userId: string): Promise<Passkey[]> {
  const passkeys = await prisma().passkey.findMany({
    where: { userId },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
    ...passkey,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

export async function listCredentials(userId: string): Promise<{ id: string; transports: string[] }[]> {
  const passkeys = await prisma().passkey.findMany({ where: { userId }, select: { credentialId: true, transports: true } });
  return passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
}

export type StoredPasskey = { id: string; userId: string; name: string; publicKey: Uint8Array<ArrayBuffer>; counter: number };

export async function findPasskey(credentialId: string): Promise<StoredPasskey | null> {
  const found = await prisma().passkey.findFirst({
    where: { credentialId },
    select: { id: true, userId: true, name: true, publicKey: true, counter: true },
  });
  return found && { ...found, counter: Number(found.counter) };
}

/** Stores the authenticator's new counter; false if another use came between. */
export async function markPasskeyUsed(client: pg.PoolClient, { id, counter }: StoredPasskey, next: number, now: Date): Promise<boolean> {
  const { count } = await prisma(client).passkey.updateMany({ where: { id, counter }, data: { counter: next, lastUsedAt: now } });
  return count === 1;
}

export async function deletePasskey(client: pg.PoolClient, userId: string, id: string): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>("DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING name", [userId, id]);
  return rows[0]?.name ?? null;
}

import type pg from "pg";
import { newId } from "#lib/contracts/api/ids";
import { type Passkey, passkey } from "#lib/contracts/auth/account";
import { answered } from "#lib/db/columns";
import { prisma } from "#lib/db/prisma";
import { queryValue } from "#lib/db/rows";
import { hashToken } from "#lib/vault/opaque-token";

const MAX_PASSKEYS = 10;

export type NewPasskey = { credentialId: string; name: string; publicKey: Uint8Array; counter: number; transports: string[]; now: Date };

/** Adds a passkey; the caller has locked the person's row. @returns null for an eleventh, or a credential already registered */
export async function insertPasskey(client: pg.PoolClient, userId: string, made: NewPasskey): Promise<string | null> {
  const { credentialId, name, publicKey, counter, transports, now } = made;
  return queryValue<{ id: string }>(
    client,
    `INSERT INTO passkeys (id, user_id, credential_id, name, public_key, counter, transports, created_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) FROM passkeys WHERE user_id = $2) < ${MAX_PASSKEYS}
     ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
    [newId("pky"), userId, credentialId, name, Buffer.from(publicKey), counter, transports, now],
  );
}

export async function listPasskeys(userId: string): Promise<Passkey[]> {
  const passkeys = await prisma().passkey.findMany({
    where: { userId },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return passkeys.map((each) => answered(passkey, each));
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

export const deletePasskey = (client: pg.PoolClient, userId: string, id: string): Promise<string | null> =>
  queryValue<{ name: string }>(client, "DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING name", [userId, id]);

export type ChallengePurpose = "register" | "prove" | "sign_in";

const VALID_MS = 5 * 60_000;

/** Keeps a challenge for five minutes, replacing the browser's open one. @param boundTo hash of the session's ID or the browser's cookie */
export async function insertChallenge(challenge: string, boundTo: string, purpose: ChallengePurpose, now: Date): Promise<void> {
  const update = { challengeHash: hashToken(challenge), expiresAt: new Date(now.getTime() + VALID_MS) };
  const browser = { boundTo, purpose };
  await prisma().passkeyChallenge.upsert({ where: { boundTo_purpose: browser }, create: { ...browser, ...update }, update });
}

/** Uses up a challenge. @returns false if it is used, expired, or another browser's or purpose's */
export async function claimChallenge(challenge: string, boundTo: string, purpose: ChallengePurpose, now: Date): Promise<boolean> {
  const { count } = await prisma().passkeyChallenge.deleteMany({
    where: { challengeHash: hashToken(challenge), boundTo, purpose, expiresAt: { gt: now } },
  });
  return count === 1;
}

export async function deleteOldChallenges(now: Date): Promise<number> {
  return (await prisma().passkeyChallenge.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

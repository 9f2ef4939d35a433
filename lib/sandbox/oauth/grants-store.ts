import type pg from "pg";
import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { adoptOwnerless, findPlatformSource } from "../platform-store.ts";
import { credentialHash } from "./credentials.ts";

/** Grants of people to apps on the sandbox platform. Tokens are stored hashed. */

export type TokenPair = { accessToken: string; refreshToken: string; accessExpiresAt: Date };
/** `fault`: how its renewals misbehave; null when they behave. */
export type NewGrant = {
  workspaceId: string | null;
  clientId: string;
  account: string;
  scope: string;
  fault: string | null;
  tokens: TokenPair;
};

const hashesOf = ({ accessToken, refreshToken, accessExpiresAt }: TokenPair) => ({
  accessHash: credentialHash(accessToken),
  refreshHash: credentialHash(refreshToken),
  accessExpiresAt,
});

/** Stores a new grant and returns its id. Takes the connection of the transaction that redeems the code. */
export async function insertGrant(client: pg.PoolClient, { tokens, ...grant }: NewGrant): Promise<string> {
  const id = newId("grant");
  await prisma(client).sandboxGrant.create({ data: { id, ...grant, ...hashesOf(tokens) }, select: { id: true } });
  return id;
}

/** The grant of a valid refresh token. */
export type LiveGrant = { id: string; account: string; scope: string; fault: string | null };

/** The grant of a refresh token that may be used now; null when there is none. */
export async function findByRefreshToken(refreshToken: string, clientId: string): Promise<LiveGrant | null> {
  const where = { refreshHash: credentialHash(refreshToken), clientId, revokedAt: null };
  return prisma().sandboxGrant.findFirst({ where, select: { id: true, account: true, scope: true, fault: true } });
}

/**
 * Replaces a grant's tokens, so that of two refreshes with the same token one
 * wins (RFC 6749 section 6). A refresh token that was rotated away and comes
 * back was stolen or lost on the way: its grant ends (RFC 9700 section 4.14.2).
 *
 * @returns false when the refresh token is not, or no longer, good
 */
export async function rotate(refreshToken: string, clientId: string, next: TokenPair, now: Date): Promise<boolean> {
  const spent = credentialHash(refreshToken);
  return inTransaction(pool(), async (client) => {
    const where = { refreshHash: spent, clientId, revokedAt: null };
    const [grant] = await prisma(client).sandboxGrant.updateManyAndReturn({ where, data: hashesOf(next), select: { id: true } });
    if (grant) {
      await prisma(client).sandboxSpentToken.create({ data: { tokenHash: spent, grantId: grant.id, spentAt: now } });
      return true;
    }
    await client.query(
      `UPDATE sandbox_grants SET revoked_at = $3
        WHERE id = (SELECT grant_id FROM sandbox_spent_tokens WHERE token_hash = $1) AND client_id = $2 AND revoked_at IS NULL`,
      [spent, clientId, now],
    );
    return false;
  });
}

/** Ends a grant, inside the caller's transaction. */
export async function revokeGrant(client: pg.PoolClient, id: string, now: Date): Promise<void> {
  await prisma(client).sandboxGrant.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
}

/** Ends the grant that an access or refresh token belongs to; nothing when there is none (RFC 7009 section 2.2). */
export async function revokeByToken(token: string, clientId: string, now: Date): Promise<void> {
  const hash = credentialHash(token);
  await prisma().sandboxGrant.updateMany({
    where: { OR: [{ accessHash: hash }, { refreshHash: hash }], clientId, revokedAt: null },
    data: { revokedAt: now },
  });
}

/** Ends every grant of a workspace's platform, as when an account's administrator removes the app. Returns how many there were. */
export async function revokeAll(workspaceId: string, now: Date): Promise<number> {
  if ((await findPlatformSource(workspaceId)) === env().WEBHOOK_SOURCE) await adoptOwnerless(workspaceId);
  return (await prisma().sandboxGrant.updateMany({ where: { workspaceId, revokedAt: null }, data: { revokedAt: now } })).count;
}

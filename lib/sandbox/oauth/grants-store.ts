import type pg from "pg";
import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { adoptOwnerless, findPlatformSource } from "../sandbox-store.ts";
import { credentialHash } from "./authorization-request.ts";

/** Stored hashed, exchanged once. */

export type Code = {
  workspaceId: string | null;
  clientId: string;
  redirectUri: string;
  scope: string;
  account: string;
  challenge: string | null;
  fault: string | null;
  expiresAt: Date;
};

export async function insert(code: string, fields: Code): Promise<void> {
  await prisma().sandboxCode.create({ data: { codeHash: credentialHash(code), ...fields }, select: { codeHash: true } });
}

type Redemption<Rejection> = { outcome: "granted" } | { outcome: "unknown" } | { outcome: "reused" } | Rejection;

/** Exchanges a code once. The row is locked during `decide`; a second exchange revokes the first's grant (RFC 6749 section 4.1.2). */
export async function redeem<Rejection extends { outcome: string }>(
  code: string,
  now: Date,
  decide: (code: Code) => { outcome: "grant"; grant: NewGrant } | Rejection,
): Promise<Redemption<Rejection>> {
  return inTransaction(pool(), async (client) => {
    const row = await lock(client, code);
    if (!row) return { outcome: "unknown" };
    if (row.usedAt) {
      if (row.grantId) await revokeGrant(client, row.grantId, now);
      return { outcome: "reused" };
    }
    const verdict = decide(row);
    if (!isGrant(verdict)) return verdict;
    const grantId = await insertGrant(client, verdict.grant);
    await prisma(client).sandboxCode.updateMany({ where: { codeHash: credentialHash(code) }, data: { usedAt: now, grantId } });
    return { outcome: "granted" };
  });
}

const isGrant = (verdict: { outcome: string }): verdict is { outcome: "grant"; grant: NewGrant } => verdict.outcome === "grant";

async function lock(client: pg.PoolClient, code: string): Promise<(Code & { usedAt: Date | null; grantId: string | null }) | undefined> {
  const { rows } = await client.query(
    `SELECT workspace_id AS "workspaceId", client_id AS "clientId", redirect_uri AS "redirectUri", scope, account, challenge, fault,
            expires_at AS "expiresAt", used_at AS "usedAt", grant_id AS "grantId"
     FROM sandbox_codes WHERE code_hash = $1 FOR UPDATE`,
    [credentialHash(code)],
  );
  return rows[0];
}

export type TokenPair = { accessToken: string; refreshToken: string; accessExpiresAt: Date };
/** `fault`: how its refreshes fail; null if they don't. */
type NewGrant = {
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

/** Uses the transaction that redeems the code. */
async function insertGrant(client: pg.PoolClient, { tokens, ...grant }: NewGrant): Promise<string> {
  const id = newId("grant");
  await prisma(client).sandboxGrant.create({ data: { id, ...grant, ...hashesOf(tokens) }, select: { id: true } });
  return id;
}

type LiveGrant = { id: string; account: string; scope: string; fault: string | null };

export async function findByRefreshToken(refreshToken: string, clientId: string): Promise<LiveGrant | null> {
  const where = { refreshHash: credentialHash(refreshToken), clientId, revokedAt: null };
  return prisma().sandboxGrant.findFirst({ where, select: { id: true, account: true, scope: true, fault: true } });
}

/**
 * Replaces a grant's tokens, once for each refresh token (RFC 6749 section 6). A token that comes back after its rotation was stolen or
 * lost: its grant ends (RFC 9700 section 4.14.2).
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

async function revokeGrant(client: pg.PoolClient, id: string, now: Date): Promise<void> {
  await prisma(client).sandboxGrant.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
}

/** Ends the grant of an access or refresh token, if there is one (RFC 7009 section 2.2). */
export async function revokeByToken(token: string, clientId: string, now: Date): Promise<void> {
  const hash = credentialHash(token);
  await prisma().sandboxGrant.updateMany({
    where: { OR: [{ accessHash: hash }, { refreshHash: hash }], clientId, revokedAt: null },
    data: { revokedAt: now },
  });
}

export async function revokeAll(workspaceId: string, now: Date): Promise<number> {
  if ((await findPlatformSource(workspaceId)) === env().WEBHOOK_SOURCE) await adoptOwnerless(workspaceId);
  return (await prisma().sandboxGrant.updateMany({ where: { workspaceId, revokedAt: null }, data: { revokedAt: now } })).count;
}

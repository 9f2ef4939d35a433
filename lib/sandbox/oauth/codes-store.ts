import type pg from "pg";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { credentialHash } from "./credentials.ts";
import { insertGrant, type NewGrant, revokeGrant } from "./grants-store.ts";

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

export type Redemption<Rejection> = { outcome: "granted" } | { outcome: "unknown" } | { outcome: "reused" } | Rejection;

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

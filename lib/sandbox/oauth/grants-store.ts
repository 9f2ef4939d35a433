import type pg from "pg";
import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
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

/** Stores a new grant and returns its id. Takes the connection of the transaction that redeems the code. */
export async function insertGrant(client: pg.PoolClient, grant: NewGrant): Promise<string> {
  const id = newId("grant");
  await client.query(
    `INSERT INTO sandbox_grants (id, client_id, account, scope, access_hash, refresh_hash, access_expires_at, fault, workspace_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      grant.clientId,
      grant.account,
      grant.scope,
      credentialHash(grant.tokens.accessToken),
      credentialHash(grant.tokens.refreshToken),
      grant.tokens.accessExpiresAt,
      grant.fault,
      grant.workspaceId,
    ],
  );
  return id;
}

/** The grant of a valid refresh token. */
export type LiveGrant = { id: string; account: string; scope: string; fault: string | null };

/** The grant of a refresh token that may be used now; null when there is none. */
export async function findByRefreshToken(refreshToken: string, clientId: string): Promise<LiveGrant | null> {
  const { rows } = await pool().query<LiveGrant>(
    "SELECT id, account, scope, fault FROM sandbox_grants WHERE refresh_hash = $1 AND client_id = $2 AND revoked_at IS NULL",
    [credentialHash(refreshToken), clientId],
  );
  return rows[0] ?? null;
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
    const { rows } = await client.query<{ id: string }>(
      `UPDATE sandbox_grants SET access_hash = $3, refresh_hash = $4, access_expires_at = $5
        WHERE refresh_hash = $1 AND client_id = $2 AND revoked_at IS NULL RETURNING id`,
      [spent, clientId, credentialHash(next.accessToken), credentialHash(next.refreshToken), next.accessExpiresAt],
    );
    const [grant] = rows;
    if (grant) {
      await client.query("INSERT INTO sandbox_spent_tokens (token_hash, grant_id, spent_at) VALUES ($1, $2, $3)", [spent, grant.id, now]);
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
  await client.query("UPDATE sandbox_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL", [id, now]);
}

/** Ends the grant that an access or refresh token belongs to; nothing when there is none (RFC 7009 section 2.2). */
export async function revokeByToken(token: string, clientId: string, now: Date): Promise<void> {
  await pool().query(
    `UPDATE sandbox_grants SET revoked_at = $3
     WHERE (access_hash = $1 OR refresh_hash = $1) AND client_id = $2 AND revoked_at IS NULL`,
    [credentialHash(token), clientId, now],
  );
}

/** Ends every grant of a workspace's platform, as when an account's administrator removes the app. Returns how many there were. */
export async function revokeAll(workspaceId: string, now: Date): Promise<number> {
  if ((await findPlatformSource(workspaceId)) === env().WEBHOOK_SOURCE) await adoptOwnerless(workspaceId);
  const { rowCount } = await pool().query("UPDATE sandbox_grants SET revoked_at = $2 WHERE workspace_id = $1 AND revoked_at IS NULL", [
    workspaceId,
    now,
  ]);
  return rowCount ?? 0;
}

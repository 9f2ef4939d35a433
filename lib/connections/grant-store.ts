import type pg from "pg";
import type { ConnectionState } from "#lib/contracts/connections";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { appendHistory } from "./connection-history-store.ts";
import { nextState, statesThatAllow } from "./connection-state.ts";

/** Tokens as they lie in the database. `version` is the fencing version of the write that put them there. */
export type SealedTokens = { accessSealed: string; refreshSealed: string | null; keyId: string; version: number };

/** What a grant brings, sealed. `scopes` and `account` are null when the platform said nothing new. */
export type SealedGrant = {
  accessSealed: string;
  refreshSealed: string | null;
  keyId: string;
  expiresAt: Date;
  expiryKnown: boolean;
  nextRefreshAt: Date | null;
  scopes: string[] | null;
  account: string | null;
  integrationId: string | null;
};

export async function findTokens(workspaceId: WorkspaceId, id: ConnectionId): Promise<SealedTokens | null> {
  const { rows } = await pool().query<SealedTokens>(
    `SELECT access_sealed AS "accessSealed", refresh_sealed AS "refreshSealed", key_id AS "keyId", version
       FROM connection_tokens WHERE workspace_id = $1 AND connection_id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** The access token and how long it lasts, read in one look, so that one is never judged by the other's successor. */
export async function findAccess(workspaceId: WorkspaceId, id: ConnectionId) {
  const { rows } = await pool().query<{ state: ConnectionState; accessExpiresAt: Date | null; accessSealed: string }>(
    `SELECT c.state, c.access_expires_at AS "accessExpiresAt", t.access_sealed AS "accessSealed"
       FROM connections c JOIN connection_tokens t ON t.connection_id = c.id
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/**
 * Stores the grant of a fresh permission. It takes a new version, so that a
 * refresh of the grant before, still under way, comes too late.
 *
 * @returns false when the connection is gone
 */
export async function insertGrant(workspaceId: WorkspaceId, id: ConnectionId, grant: SealedGrant, by: string, now: Date): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const before = await lockAccount(client, workspaceId, id);
    const changed = before !== null && grant.account !== null && before !== grant.account;
    const { rows } = await client.query<{ version: number }>(
      `UPDATE connections SET version = version + 1, account_before = $13, claimed_until = NULL, state = $3, connected_by = $4, connected_at = $5,
              granted_scopes = COALESCE($6, required_scopes), ${GRANT_COLUMNS}
        WHERE workspace_id = $1 AND id = $2 AND state = ANY($12) RETURNING version`,
      [
        workspaceId,
        id,
        nextState("pending", "granted"),
        by,
        now,
        ...grantValues(grant),
        statesThatAllow("granted"),
        changed ? before : null,
      ],
    );
    const [row] = rows;
    if (!row) return false;
    await client.query(
      `INSERT INTO connection_tokens (connection_id, workspace_id, access_sealed, refresh_sealed, key_id, version, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (connection_id) DO UPDATE SET access_sealed = $3, refresh_sealed = $4, key_id = $5, version = $6, updated_at = $7`,
      [id, workspaceId, grant.accessSealed, grant.refreshSealed, grant.keyId, row.version, now],
    );
    await appendHistory(client, workspaceId, id, { kind: "connected", actor: by, at: now });
    if (changed) {
      const detail = `was ${before}, is ${grant.account}`;
      await appendHistory(client, workspaceId, id, { kind: "account_changed", detail, actor: by, at: now });
    }
    return true;
  });
}

/** Locks the connection. @returns the account that it was connected as */
async function lockAccount(client: pg.PoolClient, workspaceId: WorkspaceId, id: ConnectionId): Promise<string | null> {
  const { rows } = await client.query<{ account: string | null }>(
    "SELECT account FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE",
    [workspaceId, id],
  );
  return rows[0]?.account ?? null;
}

// $5 now, $6 scopes, $7 expiry, $8 whether it is known, $9 next look, $10 account, $11 the platform's own id
const GRANT_COLUMNS = `access_expires_at = $7, expiry_known = $8, next_refresh_at = $9, account = COALESCE($10, account),
  integration_id = COALESCE($11, integration_id),
  last_proven_at = $5, problem_code = NULL, problem_detail = NULL, problem_at = NULL`;
const grantValues = (grant: SealedGrant) => [
  grant.scopes,
  grant.expiresAt,
  grant.expiryKnown,
  grant.nextRefreshAt,
  grant.account,
  grant.integrationId,
];

/**
 * Stores what a refresh brought, when it is the newest grant: no write with a
 * higher version has put tokens there since, and the connection was not
 * disconnected. A process that was slow and whose claim has passed on still
 * gets its tokens in if nobody has newer ones: with rotation they are the only good ones.
 *
 * @param version as `claimRefresh` gave it
 * @returns false when the result came too late and was dropped
 */
export async function updateGrant(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  version: number,
  grant: SealedGrant,
  now: Date,
): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    if (!(await lockForGrant(client, workspaceId, id))) return false;
    const { rowCount } = await client.query(
      `UPDATE connection_tokens SET access_sealed = $4, refresh_sealed = COALESCE($5, refresh_sealed), key_id = $6, version = $3, updated_at = $7
        WHERE workspace_id = $1 AND connection_id = $2 AND version < $3`,
      [workspaceId, id, version, grant.accessSealed, grant.refreshSealed, grant.keyId, now],
    );
    if (rowCount === 0) return false;
    await client.query(
      `UPDATE connections SET state = $3, last_refresh_at = $5, granted_scopes = COALESCE($6, granted_scopes), ${GRANT_COLUMNS},
              claimed_until = CASE WHEN version = $4 THEN NULL ELSE claimed_until END
        WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, nextState("connected", "refreshed"), version, now, ...grantValues(grant)],
    );
    await appendHistory(client, workspaceId, id, { kind: "refreshed", actor: null, at: now });
    return true;
  });
}

/** Every transaction locks the connection before its tokens: two of them can't wait for each other. */
async function lockForGrant(client: pg.PoolClient, workspaceId: WorkspaceId, id: ConnectionId): Promise<boolean> {
  const { rowCount } = await client.query("SELECT 1 FROM connections WHERE workspace_id = $1 AND id = $2 AND state = ANY($3) FOR UPDATE", [
    workspaceId,
    id,
    statesThatAllow("refreshed"),
  ]);
  return rowCount === 1;
}

/**
 * Erases the tokens and ends the connection. The new version turns away every
 * refresh that is under way.
 *
 * @returns the tokens that were there, for the platform to revoke; null when the connection is gone
 */
export async function eraseGrant(workspaceId: WorkspaceId, id: ConnectionId, by: string, now: Date): Promise<SealedTokens[] | null> {
  return inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET version = version + 1, claimed_until = NULL, state = 'disconnected', next_refresh_at = NULL,
              access_expires_at = NULL, granted_scopes = '{}', account_before = NULL, problem_code = NULL, problem_detail = NULL, problem_at = NULL
        WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id],
    );
    if (rowCount === 0) return null;
    const { rows } = await client.query<SealedTokens>(
      `DELETE FROM connection_tokens WHERE workspace_id = $1 AND connection_id = $2
       RETURNING access_sealed AS "accessSealed", refresh_sealed AS "refreshSealed", key_id AS "keyId", version`,
      [workspaceId, id],
    );
    await appendHistory(client, workspaceId, id, { kind: "disconnected", actor: by, at: now });
    return rows;
  });
}

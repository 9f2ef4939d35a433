import type pg from "pg";
import { nextState, statesThatAllow } from "#lib/connections/connection-state";
import { appendHistory } from "#lib/connections/connection-store";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { queryRow } from "#lib/db/rows";
import { DUE_NOW } from "#lib/db/sql";
import { insertRevocation, type Revocation, type Unaskable } from "./revocation-store.ts";
import { openRevocable, type SealedGrant } from "./token-spool.ts";

/** `version`: fencing version of the write that stored them. */
export type SealedTokens = { accessSealed: string; refreshSealed: string | null; keyId: string; version: number };

export async function findTokens(workspaceId: WorkspaceId, id: ConnectionId): Promise<SealedTokens | null> {
  return prisma().connectionTokens.findFirst({
    where: { workspaceId, connectionId: id },
    select: { accessSealed: true, refreshSealed: true, keyId: true, version: true },
  });
}

type Permission = { stateHash: string; by: string; at: Date };

/** `replaced`: the earlier tokens, stored to be revoked. */
type InsertOutcome = { outcome: "stored"; replaced: Revocation | Unaskable | null } | { outcome: "ended" };

/** Stores a new grant under a new version, so that a refresh of the earlier one comes too late. Repeatable. `ended`: the attempt is gone */
export async function insertGrant(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  grant: SealedGrant & { accessSealed: string },
  { stateHash, by, at }: Permission,
  now: Date,
): Promise<InsertOutcome> {
  return inTransaction(pool(), async (client) => {
    const before = await lockConnection(client, workspaceId, id);
    if (before?.accessSealed === grant.accessSealed) return { outcome: "stored", replaced: null };
    if (!before || !(await isAttemptOpen(client, id, stateHash))) return { outcome: "ended" };
    const changed = before.account !== null && grant.account !== null && before.account !== grant.account;
    const { rows } = await client.query<{ version: number }>(
      `UPDATE connections SET version = version + 1, account_before = $14, claimed_until = NULL, state = $3, connected_by = $4, connected_at = $5,
              granted_scopes = COALESCE($6, required_scopes), ${GRANT_COLUMNS}
        WHERE workspace_id = $1 AND id = $2 AND state = ANY($13) RETURNING version`,
      [
        workspaceId,
        id,
        nextState("pending", "granted"),
        by,
        at,
        ...grantValues(grant, now),
        statesThatAllow("granted"),
        changed ? before.account : null,
      ],
    );
    const [row] = rows;
    if (!row) return { outcome: "ended" };
    const { accessSealed, refreshSealed, keyId } = grant;
    const tokens = { accessSealed, refreshSealed, keyId, version: row.version, updatedAt: at };
    await prisma(client).connectionTokens.upsert({
      where: { connectionId: id },
      create: { connectionId: id, workspaceId, ...tokens },
      update: tokens,
      select: { connectionId: true },
    });
    await prisma(client).authorizationAttempt.deleteMany({
      where: { connectionId: id, stateHash: { not: stateHash }, usedAt: { not: null } },
    });
    await appendHistory(client, workspaceId, id, { kind: "connected", actor: by, at });
    if (changed) {
      const detail = `was ${before.account}, is ${grant.account}`;
      await appendHistory(client, workspaceId, id, { kind: "account_changed", detail, actor: by, at });
    }
    if (before.accessSealed === null) return { outcome: "stored", replaced: null };
    const token = await openRevocable(workspaceId, id, before);
    const what = "the previous tokens, replaced by new ones";
    const toRevoke = { workspaceId, connectionId: id, token, account: before.account, what };
    return { outcome: "stored", replaced: await insertRevocation(client, toRevoke, at) };
  });
}

type Before = { account: string | null; accessSealed: string | null; refreshSealed: string | null };

async function lockConnection(client: pg.PoolClient, workspaceId: WorkspaceId, id: ConnectionId): Promise<Before | null> {
  const lock = await client.query("SELECT 1 FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [workspaceId, id]);
  if (lock.rowCount !== 1) return null;
  // A second statement: after waiting for a row lock, a statement doesn't read other tables again.
  return queryRow<Before>(
    client,
    `SELECT c.account, t.access_sealed AS "accessSealed", t.refresh_sealed AS "refreshSealed"
       FROM connections c LEFT JOIN connection_tokens t ON t.connection_id = c.id WHERE c.id = $1`,
    [id],
  );
}

async function isAttemptOpen(client: pg.PoolClient, id: ConnectionId, stateHash: string): Promise<boolean> {
  return (await prisma(client).authorizationAttempt.count({ where: { connectionId: id, stateHash } })) === 1;
}

// $5 given at, $6 scopes, $7 expiry, $8 known, $9 next refresh, $10 account, $11 the platform's ID, $12 now by our clock.
// Future times are moved to the database's clock, with which every process compares them.
const GRANT_COLUMNS = `access_expires_at = clock_timestamp() + ($7::timestamptz - $12::timestamptz), expiry_known = $8,
  next_refresh_at = clock_timestamp() + ($9::timestamptz - $12::timestamptz), account = COALESCE($10, account), name = CASE WHEN name_given THEN name ELSE COALESCE($10, name) END,
  integration_id = COALESCE($11, integration_id), retry_after_until = NULL,
  last_proven_at = $5, problem_code = NULL, problem_detail = NULL, problem_at = NULL`;
const grantValues = (grant: SealedGrant, now: Date) => [
  grant.scopes,
  grant.expiresAt,
  grant.expiryKnown,
  grant.nextRefreshAt,
  grant.account,
  grant.integrationId,
  now,
];

/** `version` of the claim; `connectedAt` of the grant that it renews. */
type RefreshedGrant = { version: number; connectedAt: Date | null };

/** `superseded`: newer tokens of the same grant are stored. `replaced`: those of a later grant. `ended`: none. */
export type UpdateOutcome = "stored" | "superseded" | "replaced" | "ended";

/** Stores refreshed tokens unless newer exist, even after the claim passed on: with rotation they are the only good ones. Repeatable. */
export async function updateGrant(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { version, connectedAt }: RefreshedGrant,
  grant: SealedGrant,
  now: Date,
): Promise<UpdateOutcome> {
  return inTransaction(pool(), async (client) => {
    const kept = await lockForGrant(client, workspaceId, id);
    if (kept === null) return "ended";
    if (kept.connectedAt?.getTime() !== connectedAt?.getTime()) return "replaced";
    if (kept.version >= version) return kept.version === version ? "stored" : "superseded";
    await client.query(
      `UPDATE connection_tokens SET access_sealed = COALESCE($4, access_sealed), refresh_sealed = COALESCE($5, refresh_sealed), key_id = $6,
              version = $3, updated_at = $7
        WHERE workspace_id = $1 AND connection_id = $2`,
      [workspaceId, id, version, grant.accessSealed, grant.refreshSealed, grant.keyId, now],
    );
    if (grant.accessSealed === null) return "stored";
    await client.query(
      `UPDATE connections SET state = $3, last_refresh_at = clock_timestamp(), granted_scopes = COALESCE($6, granted_scopes), ${GRANT_COLUMNS},
              claimed_until = CASE WHEN version = $4 THEN NULL ELSE claimed_until END
        WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, nextState("connected", "refreshed"), version, now, ...grantValues(grant, now)],
    );
    await appendHistory(client, workspaceId, id, { kind: "refreshed", actor: null, at: now });
    return "stored";
  });
}

type Kept = { version: number; connectedAt: Date | null };

/** Locks the connection before its tokens, as every transaction does: no deadlocks. */
async function lockForGrant(client: pg.PoolClient, workspaceId: WorkspaceId, id: ConnectionId): Promise<Kept | null> {
  const { rows } = await client.query<{ connectedAt: Date | null }>(
    `SELECT connected_at AS "connectedAt" FROM connections WHERE workspace_id = $1 AND id = $2 AND state = ANY($3) FOR UPDATE`,
    [workspaceId, id, statesThatAllow("refreshed")],
  );
  const [connection] = rows;
  if (!connection) return null;
  const tokens = await prisma(client).connectionTokens.findFirst({ where: { connectionId: id }, select: { version: true } });
  return tokens && { ...tokens, ...connection };
}

/** True if stored tokens may be of this account (null: unknown). All workspaces count: to the platform they are one app. */
export async function mayShareAccount(id: ConnectionId, account: string | null): Promise<boolean> {
  const { rows } = await pool().query(
    `SELECT 1 FROM connections c JOIN connection_tokens t ON t.connection_id = c.id
      WHERE c.account = $2 OR (c.id = $1 AND (c.account IS NULL OR $2::text IS NULL)) LIMIT 1`,
    [id, account],
  );
  return rows.length > 0;
}

/** True if the workspace is in this database: a file next to it may belong to another. */
export async function isWorkspaceKnown(workspaceId: WorkspaceId): Promise<boolean> {
  return (await prisma().workspace.count({ where: { id: workspaceId } })) > 0;
}

/** `revocation`: of the erased tokens, to be requested now. `refreshUnderWay`: a process may be receiving newer ones. */
type Erased = { revocation: Revocation | Unaskable | null; refreshUnderWay: boolean };

const NO_ACCESS = { accessExpiresAt: null, grantedScopes: [], nextRefreshAt: null, retryAfterUntil: null, claimedUntil: null };
const NO_PROBLEM = { accountBefore: null, problemCode: null, problemDetail: null, problemAt: null };

/** Erases tokens, and stores their revocation in one transaction. The version rejects refreshes under way, the lost attempt a late code. */
export async function eraseGrant(workspaceId: WorkspaceId, id: ConnectionId, by: string, now: Date): Promise<Erased | null> {
  return inTransaction(pool(), async (client) => {
    const before = await client.query<{ claimed: boolean; account: string | null }>(
      "SELECT claimed_until IS NOT NULL AS claimed, account FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE",
      [workspaceId, id],
    );
    const [current] = before.rows;
    if (!current) return null;
    const data = { ...NO_ACCESS, ...NO_PROBLEM, state: "disconnected", version: { increment: 1 } };
    await prisma(client).connection.updateMany({ where: { workspaceId, id }, data });
    await prisma(client).authorizationAttempt.deleteMany({ where: { workspaceId, connectionId: id } });
    const { rows } = await client.query<SealedTokens>(
      `DELETE FROM connection_tokens WHERE workspace_id = $1 AND connection_id = $2
       RETURNING access_sealed AS "accessSealed", refresh_sealed AS "refreshSealed", key_id AS "keyId", version`,
      [workspaceId, id],
    );
    await appendHistory(client, workspaceId, id, { kind: "disconnected", actor: by, at: now });
    const [tokens] = rows;
    if (!tokens) return { revocation: null, refreshUnderWay: current.claimed };
    const token = await openRevocable(workspaceId, id, tokens);
    const toRevoke = { workspaceId, connectionId: id, token, account: current.account, what: "the tokens that were stored" };
    return { revocation: await insertRevocation(client, toRevoke, now), refreshUnderWay: current.claimed };
  });
}

/** Marks connections sealed with these keys as needing consent. The tokens stay: if a key returns, the next renewal opens them. */
export async function markTokensLost(keyIds: string[], now: Date): Promise<number> {
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query(
      `WITH lost AS (
         UPDATE connections c SET state = $3, problem_code = 'vault_key_lost', problem_detail = 'key_unknown', problem_at = $2,
                next_refresh_at = ${DUE_NOW}, claimed_until = NULL
           FROM connection_tokens t
          WHERE t.connection_id = c.id AND t.key_id = ANY($1) AND c.state = ANY($4) AND c.problem_code IS DISTINCT FROM 'vault_key_lost'
          RETURNING c.id, c.workspace_id)
       INSERT INTO connection_history (workspace_id, connection_id, at, kind, code, detail)
       SELECT workspace_id, id, $2, 'key_lost', 'vault_key_lost', 'key_unknown' FROM lost RETURNING 1`,
      [keyIds, now, nextState("connected", "key_lost"), statesThatAllow("key_lost")],
    );
    return rows.length;
  });
}

/** Erases tokens that no key opens; their connections need a new consent. */
export async function eraseLostTokens(keyIds: string[], now: Date): Promise<number> {
  await markTokensLost(keyIds, now);
  return inTransaction(pool(), async (client) => {
    const lost = { keyId: { in: keyIds } };
    await prisma(client).connection.updateMany({ where: { tokens: lost }, data: { version: { increment: 1 }, nextRefreshAt: null } });
    return (await prisma(client).connectionTokens.deleteMany({ where: lost })).count;
  });
}

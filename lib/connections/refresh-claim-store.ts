import type { ConnectionProblemCode, ConnectionState } from "#lib/contracts/connections";
import { type ConnectionId, connectionId as toConnectionId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { appendHistory } from "./connection-history-store.ts";
import { nextState, statesThatAllow } from "./connection-state.ts";

/** The right to renew a connection, until it lapses. Its `version` fences every write that follows. */
export type RefreshClaim = {
  version: number;
  failingSince: Date | null;
  /** The tokens could not be opened last time: the vault's key was missing. */
  keyLost: boolean;
};

/** Longer than a token request may take (10 s) with its writes; a process that died is overtaken after it. */
const LEASE_MS = 30_000;

/** The one way back from needing a new permission: a key that was missing may be put back, here or on another machine. */
const KEY_LOST = "(state = 'needs_reauthorization' AND problem_code = 'vault_key_lost')";

/**
 * Claims the right to renew: one process at a time, in one guarded statement.
 * A claim that has lapsed is taken over with a higher version.
 *
 * @param onlyIfDue leaves a connection alone that somebody has just renewed
 * @param notSince leaves one alone that was renewed since then
 * @param endingAt leaves one alone whose access no longer ends then: it was renewed since that was read. (A
 *   column of the row itself: what stands in another table is not looked at anew after a wait for the row's lock.)
 * @returns null when somebody else has the claim, or nothing is there to renew
 */
export async function claimRefresh(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { now, onlyIfDue, notSince, endingAt }: { now: Date; onlyIfDue: boolean; notSince: Date | null; endingAt: Date | null },
): Promise<RefreshClaim | null> {
  const { rows } = await pool().query<RefreshClaim>(
    `UPDATE connections SET version = version + 1, claimed_until = $4
      WHERE workspace_id = $1 AND id = $2 AND (claimed_until IS NULL OR claimed_until <= $3)
        AND (state = ANY($5) OR ${KEY_LOST}) AND (NOT $6 OR next_refresh_at <= $3)
        AND ($7::timestamptz IS NULL OR last_refresh_at IS NULL OR last_refresh_at < $7)
        AND ($8::timestamptz IS NULL OR access_expires_at = $8)
      RETURNING version, CASE WHEN state = 'retrying' THEN problem_at END AS "failingSince", ${KEY_LOST} AS "keyLost"`,
    [workspaceId, id, now, new Date(now.getTime() + LEASE_MS), statesThatAllow("delayed"), onlyIfDue, notSince, endingAt],
  );
  return rows[0] ?? null;
}

/** Gives the claim back without a result. */
export async function releaseClaim(workspaceId: WorkspaceId, id: ConnectionId, version: number): Promise<void> {
  await pool().query("UPDATE connections SET claimed_until = NULL WHERE workspace_id = $1 AND id = $2 AND version = $3", [
    workspaceId,
    id,
    version,
  ]);
}

type Setback = { code: ConnectionProblemCode; raw: string | null; now: Date };

/** The renewal did not work now: tokens stay, it is tried again at `nextRefreshAt`. */
export async function markDelayed(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  version: number,
  { code, raw, now, failingSince, nextRefreshAt }: Setback & { failingSince: Date; nextRefreshAt: Date },
): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET state = $4, problem_code = $5, problem_detail = $6, problem_at = $7, next_refresh_at = $8, claimed_until = NULL
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($9)`,
      [workspaceId, id, version, nextState("connected", "delayed"), code, raw, failingSince, nextRefreshAt, statesThatAllow("delayed")],
    );
    if (rowCount === 1) await appendHistory(client, workspaceId, id, { kind: "refresh_delayed", code, detail: raw, actor: null, at: now });
  });
}

/**
 * The grant is dead for good: a person must connect again. Refused when newer
 * tokens came in than the ones that were tried.
 *
 * @param triedTokens the version of the tokens that the platform refused
 * @returns false when it was refused
 */
export async function markLost(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { version, triedTokens }: { version: number; triedTokens: number },
  { code, raw, now }: Setback,
): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    await client.query("SELECT 1 FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [workspaceId, id]);
    const { rowCount } = await client.query(
      `UPDATE connections SET state = $5, problem_code = $6, problem_detail = $7, problem_at = $8, next_refresh_at = NULL, claimed_until = NULL
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($9)
          AND EXISTS (SELECT 1 FROM connection_tokens t WHERE t.connection_id = $2 AND t.version = $4)`,
      [workspaceId, id, version, triedTokens, nextState("connected", "lost"), code, raw, now, statesThatAllow("lost")],
    );
    if (rowCount !== 1) return false;
    await appendHistory(client, workspaceId, id, { kind: "lost", code, detail: raw, actor: null, at: now });
    return true;
  });
}

const KEY_WAIT_MS = 60_000;

/** The vault can't open the tokens. They stay: once a minute some process looks whether it has the key. */
export async function markKeyLost(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { version, keyLost }: RefreshClaim,
  { raw, now }: Pick<Setback, "raw" | "now">,
): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET state = $4, problem_code = 'vault_key_lost', problem_detail = $5, problem_at = CASE WHEN $9 THEN problem_at ELSE $6 END,
              next_refresh_at = $7, claimed_until = NULL
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($8)`,
      [
        workspaceId,
        id,
        version,
        nextState("connected", "key_lost"),
        raw,
        now,
        new Date(now.getTime() + KEY_WAIT_MS),
        statesThatAllow("key_lost"),
        keyLost,
      ],
    );
    if (rowCount !== 1 || keyLost) return;
    await appendHistory(client, workspaceId, id, { kind: "key_lost", code: "vault_key_lost", detail: raw, actor: null, at: now });
  });
}

/** The tokens open again: from here on it is a renewal like any other. */
export async function markKeyFound(workspaceId: WorkspaceId, id: ConnectionId, version: number, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      "UPDATE connections SET state = $4, problem_at = $5 WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($6)",
      [workspaceId, id, version, nextState("needs_reauthorization", "key_found"), now, statesThatAllow("key_found")],
    );
    if (rowCount === 1) await appendHistory(client, workspaceId, id, { kind: "key_found", actor: null, at: now });
  });
}

/** An access without a refresh token nears its end: the card says so from now on. */
export async function markExpiryNear(workspaceId: WorkspaceId, id: ConnectionId, version: number, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET state = $4, next_refresh_at = access_expires_at, claimed_until = NULL
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($5)`,
      [workspaceId, id, version, nextState("connected", "expiry_near"), statesThatAllow("expiry_near")],
    );
    if (rowCount === 1) await appendHistory(client, workspaceId, id, { kind: "expiry_near", actor: null, at: now });
  });
}

/** Where a connection stands, for who waits for another's renewal. */
export async function findStanding(workspaceId: WorkspaceId, id: ConnectionId, now: Date) {
  const { rows } = await pool().query<{ state: ConnectionState; keyLost: boolean; claimed: boolean; accessExpiresAt: Date | null }>(
    `SELECT state, ${KEY_LOST} AS "keyLost", COALESCE(claimed_until > $3, false) AS claimed, access_expires_at AS "accessExpiresAt"
       FROM connections WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, now],
  );
  return rows[0] ?? null;
}

/** Connections of all workspaces that want a look, the longest overdue first; for the worker. */
export async function listDue(now: Date, limit: number): Promise<{ workspaceId: WorkspaceId; connectionId: ConnectionId }[]> {
  const { rows } = await pool().query<{ workspace_id: string; id: string }>(
    `SELECT workspace_id, id FROM connections
      WHERE next_refresh_at <= $1 AND (state = ANY($2) OR ${KEY_LOST}) AND (claimed_until IS NULL OR claimed_until <= $1)
      ORDER BY next_refresh_at LIMIT $3`,
    [now, statesThatAllow("delayed"), limit],
  );
  return rows.map((row) => ({ workspaceId: toWorkspaceId.parse(row.workspace_id), connectionId: toConnectionId.parse(row.id) }));
}

import { nextState, statesThatAllow, TRANSITIONS } from "#lib/connections/connection-state";
import { appendHistory } from "#lib/connections/connection-store";
import { type ConnectionId, connectionId as toConnectionId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { ConnectionState } from "#lib/contracts/connection-filters";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { changesOne, queryRow } from "#lib/db/rows";
import type { Clock } from "#lib/time/clock";

/** `version` fences every later write. Times are the database's, as machines' clocks may differ. */
export type RefreshClaim = {
  version: number;
  failingMs: number;
  connectedAt: Date | null;
  /** The vault's key was missing last time. */
  keyLost: boolean;
};

/** Far longer than a token request (10 s): the database may be away from the one process that holds the newest tokens. */
const LEASE_SECONDS = 120;
const LEASE_END = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;
const FREE = "(claimed_until IS NULL OR claimed_until <= clock_timestamp())";
const MAY_ASK = "(retry_after_until IS NULL OR retry_after_until <= clock_timestamp())";

/** The one way back without a new consent: a missing key may be put back, here or on another machine. */
const KEY_LOST = "(state = 'needs_reauthorization' AND problem_code = 'vault_key_lost')";

/** Claims the renewal in one guarded statement; null if it is taken, the platform asked to wait, or (`since`) it was renewed already. */
export const claimRefresh = (
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { onlyIfDue, since }: { onlyIfDue: boolean; since: DatabaseMoment | null },
): Promise<RefreshClaim | null> =>
  queryRow<RefreshClaim>(
    pool(),
    `UPDATE connections SET version = version + 1, claimed_until = ${LEASE_END}
      WHERE workspace_id = $1 AND id = $2 AND ${FREE} AND ${MAY_ASK}
        AND (state = ANY($3) OR ${KEY_LOST}) AND (NOT $4 OR next_refresh_at <= clock_timestamp())
        AND ($5::timestamptz IS NULL OR last_refresh_at IS NULL OR last_refresh_at < $5::timestamptz - $6 * interval '1 millisecond'
          OR last_refresh_at > clock_timestamp() + interval '1 minute') -- the database's clock was set back
      RETURNING version, connected_at AS "connectedAt", ${KEY_LOST} AS "keyLost",
        (CASE WHEN state = 'retrying' THEN greatest(extract(epoch FROM clock_timestamp() - problem_at) * 1000, 0) ELSE 0 END)::float8 AS "failingMs"`,
    [workspaceId, id, statesThatAllow("delayed"), onlyIfDue, since?.reading ?? null, since?.msBefore ?? 0],
  );

/** `msBefore` the `reading` of the database's clock. */
export type DatabaseMoment = { reading: string; msBefore: number };

/** Returns a moment by the database's clock, never a later one. Read once: a statement that waits for a lock would shift it. */
export async function readMoment(at: Date, clock: Pick<Clock, "now">): Promise<DatabaseMoment> {
  const { rows } = await pool().query<{ reading: string }>("SELECT clock_timestamp()::text AS reading");
  const msBefore = Math.max(0, clock.now() - at.getTime()); // after the answer: longer ago than the reading
  return { reading: rows[0]?.reading ?? "", msBefore };
}

/** Extends the claim before asking the platform and while storing its answer; false if another process took it. */
export const extendClaim = (workspaceId: WorkspaceId, id: ConnectionId, version: number): Promise<boolean> =>
  changesOne(pool(), `UPDATE connections SET claimed_until = ${LEASE_END} WHERE workspace_id = $1 AND id = $2 AND version = $3`, [
    workspaceId,
    id,
    version,
  ]);

export async function releaseClaim(workspaceId: WorkspaceId, id: ConnectionId, version: number): Promise<void> {
  await prisma().connection.updateMany({ where: { workspaceId, id, version }, data: { claimedUntil: null } });
}

type Setback = { code: ConnectionProblemCode; raw: string | null; now: Date };

/** `asked`: the platform requested the wait. */
type Delay = Setback & { waitMs: number; asked: boolean };

export async function markDelayed(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  version: number,
  { code, raw, now, waitMs, asked }: Delay,
): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET problem_at = CASE WHEN state = 'retrying' THEN problem_at ELSE clock_timestamp() END, state = $4, problem_code = $5,
              problem_detail = $6, next_refresh_at = ${UNTIL}, retry_after_until = CASE WHEN $9 THEN ${UNTIL} END, claimed_until = NULL
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($8)`,
      [workspaceId, id, version, nextState("connected", "delayed"), code, raw, waitMs, statesThatAllow("delayed"), asked],
    );
    if (rowCount === 1) await appendHistory(client, workspaceId, id, { kind: "refresh_delayed", code, detail: raw, actor: null, at: now });
  });
}

const UNTIL = "clock_timestamp() + $7::float8 * interval '1 millisecond'";

/** Ends the grant; returns false if newer tokens than `triedTokens` came in. */
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

const KEY_WAIT = "clock_timestamp() + interval '60 seconds'";

/** Notes that the vault can't open the tokens. They stay: once a minute a process checks for the key. */
export async function markKeyLost(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { version, keyLost }: RefreshClaim,
  { raw, now }: Pick<Setback, "raw" | "now">,
): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE connections SET state = $4, problem_code = 'vault_key_lost', problem_detail = $5, problem_at = CASE WHEN $8 THEN problem_at ELSE $6 END,
              next_refresh_at = ${KEY_WAIT}, claimed_until = NULL
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND state = ANY($7)`,
      [workspaceId, id, version, nextState("connected", "key_lost"), raw, now, statesThatAllow("key_lost"), keyLost],
    );
    if (rowCount !== 1 || keyLost) return;
    await appendHistory(client, workspaceId, id, { kind: "key_lost", code: "vault_key_lost", detail: raw, actor: null, at: now });
  });
}

export async function markKeyFound(workspaceId: WorkspaceId, id: ConnectionId, version: number, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { count } = await prisma(client).connection.updateMany({
      where: { workspaceId, id, version, state: { in: statesThatAllow("key_found") } },
      data: { state: TRANSITIONS.needs_reauthorization.key_found, problemAt: now },
    });
    if (count === 1) await appendHistory(client, workspaceId, id, { kind: "key_found", actor: null, at: now });
  });
}

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

type RefreshState = {
  state: ConnectionState;
  keyLost: boolean;
  claimed: boolean;
  hasEnd: boolean;
  ended: boolean;
  /** The card's problem while the platform has asked to wait. */
  waitingFor: ConnectionProblemCode | null;
};

export const findRefreshState = (workspaceId: WorkspaceId, id: ConnectionId): Promise<RefreshState | null> =>
  queryRow<RefreshState>(
    pool(),
    `SELECT state, ${KEY_LOST} AS "keyLost", NOT ${FREE} AS claimed, access_expires_at IS NOT NULL AS "hasEnd",
            COALESCE(access_expires_at <= clock_timestamp(), false) AS ended, CASE WHEN NOT ${MAY_ASK} THEN problem_code END AS "waitingFor"
       FROM connections WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );

export async function listDue(limit: number): Promise<{ workspaceId: WorkspaceId; connectionId: ConnectionId }[]> {
  const { rows } = await pool().query<{ workspace_id: string; id: string }>(
    `SELECT workspace_id, id FROM connections
      WHERE next_refresh_at <= now() AND (state = ANY($1) OR ${KEY_LOST}) AND ${FREE} AND ${MAY_ASK}
      ORDER BY next_refresh_at LIMIT $2`,
    [statesThatAllow("delayed"), limit],
  );
  return rows.map((row) => ({ workspaceId: toWorkspaceId.parse(row.workspace_id), connectionId: toConnectionId.parse(row.id) }));
}

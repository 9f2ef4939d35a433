import { appendHistory } from "#lib/connections/connection-history-store";
import { nextState, statesThatAllow, TRANSITIONS } from "#lib/connections/connection-state";
import { type ConnectionId, connectionId as toConnectionId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import type { ConnectionState } from "#lib/contracts/filters/connection-filters";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import type { Clock } from "#lib/time/clock";

/**
 * The right to renew a connection, until it lapses. Its `version` fences every
 * write that follows. All times here are the database's: a lease that one
 * machine takes is checked by another, and their clocks need not agree.
 */
export type RefreshClaim = {
  version: number;
  /** Time for which renewing has failed already, in milliseconds. */
  failingMs: number;
  /** When the permission was given that is renewed. */
  connectedAt: Date | null;
  /** The tokens could not be opened last time: the vault's key was missing. */
  keyLost: boolean;
};

/**
 * Far longer than a token request may take (10 s): while it lasts, the database
 * may be away from the one process that holds the newest tokens. A claim is
 * given back as soon as there is a result; only a process that died keeps it.
 */
const LEASE_SECONDS = 120;
const LEASE_END = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;
const FREE = "(claimed_until IS NULL OR claimed_until <= clock_timestamp())";
const MAY_ASK = "(retry_after_until IS NULL OR retry_after_until <= clock_timestamp())";

/** The one way back from needing a new permission: a key that was missing may be put back, here or on another machine. */
const KEY_LOST = "(state = 'needs_reauthorization' AND problem_code = 'vault_key_lost')";

/**
 * Claims the right to renew: one process at a time, in one guarded statement.
 * A claim that has lapsed is taken over with a higher version.
 *
 * @param onlyIfDue leaves a connection alone that somebody has just renewed
 * @param since leaves one alone that was renewed since that moment of the database's clock
 * @returns null when somebody else has the claim, the platform asked to wait, or nothing is there to renew
 */
export async function claimRefresh(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { onlyIfDue, since }: { onlyIfDue: boolean; since: DatabaseMoment | null },
): Promise<RefreshClaim | null> {
  const { rows } = await pool().query<RefreshClaim>(
    `UPDATE connections SET version = version + 1, claimed_until = ${LEASE_END}
      WHERE workspace_id = $1 AND id = $2 AND ${FREE} AND ${MAY_ASK}
        AND (state = ANY($3) OR ${KEY_LOST}) AND (NOT $4 OR next_refresh_at <= clock_timestamp())
        AND ($5::timestamptz IS NULL OR last_refresh_at IS NULL OR last_refresh_at < $5::timestamptz - $6 * interval '1 millisecond')
      RETURNING version, connected_at AS "connectedAt", ${KEY_LOST} AS "keyLost",
        (CASE WHEN state = 'retrying' THEN greatest(extract(epoch FROM clock_timestamp() - problem_at) * 1000, 0) ELSE 0 END)::float8 AS "failingMs"`,
    [workspaceId, id, statesThatAllow("delayed"), onlyIfDue, since?.reading ?? null, since?.msBefore ?? 0],
  );
  return rows[0] ?? null;
}

/** A moment of the database's clock: so many milliseconds before a reading of it. */
export type DatabaseMoment = { reading: string; msBefore: number };

/**
 * Returns when a moment of this process's clock was by the database's, or a little earlier: never later. Read once and then
 * compared as it is: a statement that waits for a connection or a lock would shift a moment that it counts from its own time.
 */
export async function readMoment(at: Date, clock: Pick<Clock, "now">): Promise<DatabaseMoment> {
  const { rows } = await pool().query<{ reading: string }>("SELECT clock_timestamp()::text AS reading");
  const msBefore = Math.max(0, clock.now() - at.getTime()); // after the answer: longer ago than the reading
  return { reading: rows[0]?.reading ?? "", msBefore };
}

/**
 * Keeps the claim for another lease: before the platform is asked, and while what it answered is being stored.
 *
 * @returns false when it had lapsed and somebody else has taken it
 */
export async function extendClaim(workspaceId: WorkspaceId, id: ConnectionId, version: number): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE connections SET claimed_until = ${LEASE_END} WHERE workspace_id = $1 AND id = $2 AND version = $3`,
    [workspaceId, id, version],
  );
  return rowCount === 1;
}

/** Gives the claim back without a result. */
export async function releaseClaim(workspaceId: WorkspaceId, id: ConnectionId, version: number): Promise<void> {
  await prisma().connection.updateMany({ where: { workspaceId, id, version }, data: { claimedUntil: null } });
}

type Setback = { code: ConnectionProblemCode; raw: string | null; now: Date };

/** Time to wait; `asked`: the platform requested it, and no request is made earlier. */
type Delay = Setback & { waitMs: number; asked: boolean };

/** The renewal did not work now: tokens stay, it is tried again when the wait is over. */
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

/**
 * The grant has ended permanently: a person must connect again. Rejected when newer
 * tokens came in than the ones that were tried.
 *
 * @param triedTokens the version of the tokens that the platform rejected
 * @returns false when it was rejected
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

const KEY_WAIT = "clock_timestamp() + interval '60 seconds'";

/** The vault can't open the tokens. They stay: once a minute some process looks whether it has the key. */
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

/** The tokens open again: from here on it is a renewal like any other. */
export async function markKeyFound(workspaceId: WorkspaceId, id: ConnectionId, version: number, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { count } = await prisma(client).connection.updateMany({
      where: { workspaceId, id, version, state: { in: statesThatAllow("key_found") } },
      data: { state: TRANSITIONS.needs_reauthorization.key_found, problemAt: now },
    });
    if (count === 1) await appendHistory(client, workspaceId, id, { kind: "key_found", actor: null, at: now });
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

type RefreshState = {
  state: ConnectionState;
  keyLost: boolean;
  claimed: boolean;
  /** The access has an end, and it has come. */
  hasEnd: boolean;
  ended: boolean;
  /** The problem that stands on the card while the platform has asked to wait. */
  waitingFor: ConnectionProblemCode | null;
};

/** Returns where a connection stands, for who waits for another's renewal. */
export async function findRefreshState(workspaceId: WorkspaceId, id: ConnectionId): Promise<RefreshState | null> {
  const { rows } = await pool().query<RefreshState>(
    `SELECT state, ${KEY_LOST} AS "keyLost", NOT ${FREE} AS claimed, access_expires_at IS NOT NULL AS "hasEnd",
            COALESCE(access_expires_at <= clock_timestamp(), false) AS ended, CASE WHEN NOT ${MAY_ASK} THEN problem_code END AS "waitingFor"
       FROM connections WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** Connections of all workspaces that want a look, the longest overdue first; for the worker. */
export async function listDue(limit: number): Promise<{ workspaceId: WorkspaceId; connectionId: ConnectionId }[]> {
  const { rows } = await pool().query<{ workspace_id: string; id: string }>(
    `SELECT workspace_id, id FROM connections
      WHERE next_refresh_at <= now() AND (state = ANY($1) OR ${KEY_LOST}) AND ${FREE} AND ${MAY_ASK}
      ORDER BY next_refresh_at LIMIT $2`,
    [statesThatAllow("delayed"), limit],
  );
  return rows.map((row) => ({ workspaceId: toWorkspaceId.parse(row.workspace_id), connectionId: toConnectionId.parse(row.id) }));
}

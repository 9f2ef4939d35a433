import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { MAX_READ_BYTES } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { inTransaction, pool } from "#lib/db/pool";
import { countChanged, queryCount, queryValues } from "#lib/db/rows";
import { LOGGED_COLUMNS, type LoggedEvent } from "#lib/db/sql";
import type { Claimed } from "./inbox-store.ts";

// The worker on a claim holds the advisory lock of its number from before the claim is visible until its transaction ends.
// So a begun range whose lock is free was begun by a process that died, or by a batch that failed.

/** Advisory locks of claims, apart from all other locks of ours. */
const lockOf = (claim: string) => `(1::bigint << 40) + ${claim}`;

/** Begins a claim: its lock is held until the transaction in hand ends. */
export async function beginClaim(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ id: number }>({
    name: "log-claim-begin",
    text: `SELECT c.id, pg_advisory_xact_lock(${lockOf("c.id")}) FROM (SELECT nextval('log_claims_seq') AS id OFFSET 0) c`,
  });
  if (!rows[0]) throw new Error("a claim has no number");
  return rows[0].id;
}

export type RangeRequest = {
  workspaceIds: WorkspaceId[];
  limit: number;
  share: number;
};

/** Claims the next ranges, at most 16 MB, on a connection of its own: the claim must outlive the transaction and the process. */
export const claimRanges = (claim: number, { workspaceIds, limit, share }: RangeRequest): Promise<number> =>
  queryCount<{ events: number }>(pool("claims"), {
    name: "log-claim",
    text: "SELECT coalesce(sum(events), 0)::int AS events FROM claim_ranges($1, $2::text[], $3, $4, $5)",
    values: [claim, workspaceIds, share, limit, MAX_READ_BYTES],
  });

const IN_RANGE = `e.workspace_id = g.workspace_id AND (e.xid, e.seq) > (g.from_xid, g.from_seq) AND (e.xid, e.seq) <= (g.to_xid, g.to_seq)`;

export async function readRanges(client: pg.PoolClient, claim: number): Promise<Claimed[]> {
  const { rows } = await client.query<LoggedEvent & { workspaceId: WorkspaceId; signatureForm: string }>({
    name: "log-claim-read",
    text: `SELECT e.* FROM log_ranges g CROSS JOIN LATERAL (
        SELECT e.workspace_id AS "workspaceId", ${LOGGED_COLUMNS}, e.signature_form AS "signatureForm" FROM events e
        WHERE ${IN_RANGE} ORDER BY e.xid, e.seq LIMIT g.events + 1) e
      WHERE g.claim = $1 AND g.ended_at IS NULL`,
    values: [claim],
  });
  return rows.map((row) => ({ ...row, inboxId: null, redeliveryId: null, attempts: 0 }));
}

/** Marks ranges as applied. @throws Error unless they hold `events` events and the claim is ours: then nothing may be committed */
export async function endRanges(
  client: pg.PoolClient,
  claim: number,
  events: number,
  state: "applied" | "partly" = "applied",
): Promise<void> {
  const { rows } = await client.query<{ events: number }>({
    name: "log-claim-end",
    text: `WITH ended AS (UPDATE log_ranges SET state = $2, ended_at = clock_timestamp()
        WHERE claim = $1 AND ended_at IS NULL AND state = 'begun' RETURNING events)
      SELECT coalesce(sum(events), 0)::int AS events FROM ended`,
    values: [claim, state],
  });
  if (rows[0]?.events !== events) throw new Error(`claim ${claim} holds ${rows[0]?.events} events, and ${events} were applied`);
}

/** Moves events to the inbox, in the transaction that applies the others and ends the ranges. */
export async function moveToInbox(client: pg.PoolClient, claim: number, events: Claimed[], dueInMs: number): Promise<void> {
  await client.query(
    `INSERT INTO inbox (workspace_id, received_at, seq, range_id, due_at)
     SELECT u.w, u.r, u.s, g.id, clock_timestamp() + make_interval(secs => $5)
     FROM unnest($2::text[], $3::timestamptz[], $4::bigint[]) AS u(w, r, s) JOIN log_ranges g ON g.claim = $1 AND g.ended_at IS NULL AND g.workspace_id = u.w`,
    [claim, ...arraysOf(events, "workspaceId", "receivedAt", "seq"), dueInMs / 1000],
  );
}

/** Gives back ranges that were rolled back for no fault of their events, to be claimed again. */
export async function giveBackRanges(claims: number[]): Promise<void> {
  await pool("claims").query(
    "UPDATE log_ranges SET state = 'waiting' WHERE claim = ANY($1::bigint[]) AND ended_at IS NULL AND state = 'begun'",
    [claims],
  );
}

/** Lists claims whose ranges have not ended: those in progress, and those that were left. */
export const listBegunClaims = (): Promise<number[]> =>
  queryValues<{ claim: number }>(pool("worker"), "SELECT DISTINCT claim FROM log_ranges WHERE ended_at IS NULL AND state = 'begun'");

/** Ends the ranges of a claim and puts their events into the inbox, under claims that make them be tried alone. */
const SET_APART = `
WITH ended AS (
  UPDATE log_ranges SET state = 'apart', ended_at = clock_timestamp() WHERE claim = $1 AND ended_at IS NULL AND state = 'begun' RETURNING *
), queued AS (
  INSERT INTO inbox (workspace_id, received_at, seq, range_id)
  SELECT e.workspace_id, e.received_at, e.seq, g.id FROM ended g CROSS JOIN LATERAL (
    SELECT e.workspace_id, e.received_at, e.seq FROM events e WHERE ${IN_RANGE} ORDER BY e.xid, e.seq) e
  RETURNING id
)
INSERT INTO inbox_claims (inbox_ids) SELECT array_agg(id) FROM queued GROUP BY id / 100`;

/** Has the events of a claim tried alone. Returns false while a worker holds it. */
export const setRangesApart = (claim: number): Promise<boolean> =>
  inTransaction(pool("worker"), async (client) => {
    const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${lockOf("$1::bigint")}) AS free`, [claim]);
    if (!rows[0]?.free) return false;
    await client.query(SET_APART, [claim]);
    return true;
  });

export const deleteOldRanges = (): Promise<number> =>
  countChanged(
    pool("worker"),
    `DELETE FROM log_ranges g USING log_places p LEFT JOIN LATERAL (
       SELECT e.xid, e.seq FROM events e WHERE e.workspace_id = p.workspace_id ORDER BY e.xid, e.seq LIMIT 1) first ON true
     WHERE g.workspace_id = p.workspace_id AND g.ended_at IS NOT NULL
       AND (first.xid IS NULL OR (g.to_xid, g.to_seq) < (first.xid, first.seq))`,
  );

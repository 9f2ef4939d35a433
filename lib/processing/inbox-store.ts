import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { bodiesWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { changesOne, countChanged } from "#lib/db/rows";
import { type LoggedEvent, waitingPlacesSql } from "#lib/db/sql";

export type Claimed = LoggedEvent & {
  /** Null for a first delivery that is read from the log: it has no row in the inbox. */
  inboxId: number | null;
  workspaceId: WorkspaceId;
  redeliveryId: string | null;
  /** Tries before this one. */
  attempts: number;
  /** How it verified; where it was read for a batch. */
  signatureForm?: string;
};

export type InboxDelivery = Claimed & { inboxId: number };

/** `eventId`: null when the event has left the log. */
type Row = Omit<InboxDelivery, "eventId"> & { eventId: string | null };

const withEvents = (deliveries: string) =>
  `SELECT d.id AS "inboxId", d.workspace_id AS "workspaceId", d.received_at AS "receivedAt", d.seq, d.redelivery_id AS "redeliveryId", d.attempts,
     e.source_id AS "sourceId", e.event_id AS "eventId", e.type, e.created, e.body, e.signature_form AS "signatureForm"
   FROM ${deliveries} d LEFT JOIN events e USING (received_at, seq)`;

const DELIVERY = "id, workspace_id, received_at, seq, redelivery_id, attempts";

/** Deliveries due for a first try and in no claim: of each workspace $2 at most $3, in all at most $1. */
const CLAIM_DUE = `WITH due AS MATERIALIZED (
    SELECT i.* FROM unnest($2::text[]) AS w(workspace_id) CROSS JOIN LATERAL (
      SELECT ${DELIVERY} FROM inbox
      WHERE workspace_id = w.workspace_id AND due_at <= now() AND attempts = 0 AND id NOT IN (SELECT unnest(inbox_ids) FROM inbox_claims)
      ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED) i LIMIT $1)
  ${bodiesWithinBytes(withEvents("due"), '"inboxId"')}`;

type ClaimRequest = {
  workspaceIds: WorkspaceId[];
  limit: number;
  share: number;
};

/** Claims due deliveries until the transaction ends, at most 16 MB of bodies, one at least. Retries are left out: they are tried alone. */
export async function claimDue(client: pg.PoolClient, { workspaceIds, limit, share }: ClaimRequest): Promise<InboxDelivery[]> {
  const { rows } = await client.query<Row>({ name: "inbox-claim", text: CLAIM_DUE, values: [limit, workspaceIds, share] });
  return withoutOrphans(client, rows);
}

/** Returns null when it is gone, or another worker has it. */
export async function claimOne(client: pg.PoolClient, inboxId: number): Promise<InboxDelivery | null> {
  const { rows } = await client.query<Row>({
    name: "inbox-claim-one",
    text: `WITH one AS MATERIALIZED (SELECT ${DELIVERY} FROM inbox WHERE id = $1 FOR UPDATE SKIP LOCKED) ${withEvents("one")}`,
    values: [inboxId],
  });
  return (await withoutOrphans(client, rows))[0] ?? null;
}

async function withoutOrphans(client: pg.PoolClient, rows: Row[]): Promise<InboxDelivery[]> {
  // Re-delivered in the moment in which its month was dropped: it must not block others forever.
  const orphans = rows.filter(({ eventId }) => eventId === null).map(({ inboxId }) => inboxId);
  if (orphans.length > 0) await client.query("DELETE FROM inbox WHERE id = ANY($1::bigint[])", [orphans]);
  return rows.filter((row): row is InboxDelivery => row.eventId !== null);
}

/** Postpones deliveries that wait for a lock, without counting a try. */
export async function holdInInbox(client: pg.PoolClient, inboxIds: number[], dueInMs: number): Promise<void> {
  const text = "UPDATE inbox SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = ANY($1::bigint[])";
  await client.query(text, [inboxIds, dueInMs / 1000]);
}

/** Notes that the deliveries of events to destinations are written, in the transaction that writes them. */
export async function markHandedOn(client: pg.PoolClient, places: { receivedAt: Date; seq: number }[]): Promise<void> {
  await client.query(
    `UPDATE inbox i SET handed_on = true FROM unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq)
     WHERE i.received_at = u.at AND i.seq = u.seq AND i.redelivery_id IS NULL`,
    arraysOf(places, "receivedAt", "seq"),
  );
}

/** Removes deliveries and ends their claim, in the transaction that applied them. */
export async function removeFromInbox(client: pg.PoolClient, inboxIds: number[], claimId: number): Promise<void> {
  await client.query({
    name: "inbox-remove",
    text: "WITH ended AS (DELETE FROM inbox_claims WHERE id = $2) DELETE FROM inbox WHERE id = ANY($1::bigint[])",
    values: [inboxIds, claimId],
  });
}

/** Sets the next try by the database's clock, which claims compare with, and ends the claim. */
export async function postpone(client: pg.PoolClient, inboxId: number, claimId: number, attempts: number, delayMs: number): Promise<void> {
  const text = `WITH ended AS (DELETE FROM inbox_claims WHERE id = $2)
    UPDATE inbox SET attempts = $3, due_at = clock_timestamp() + make_interval(secs => $4) WHERE id = $1`;
  await client.query(text, [inboxId, claimId, attempts, delayMs / 1000]);
}

/** Counts waiting deliveries up to 1,001, in inbox and log, and returns since when the oldest waits. */
export async function measureInbox(workspaceId: WorkspaceId): Promise<{ pending: number; oldestReceivedAt: Date | null }> {
  const { rows } = await pool().query<{ n: number; oldest: Date | null }>(
    `SELECT count(*) AS n, min(received_at) AS oldest FROM (SELECT received_at FROM ${waitingPlacesSql("$1", "1001")} w LIMIT 1001) t`,
    [workspaceId],
  );
  return { pending: rows[0]?.n ?? 0, oldestReceivedAt: rows[0]?.oldest ?? null };
}

// Claims are committed before the work begins. A delivery that is in a claim and not locked
// was claimed by a process that died, or by a batch that failed.

/** Records a claim on a connection of its own: it must outlive the transaction that holds the deliveries, and the process. */
export async function recordClaim(inboxIds: number[]): Promise<number> {
  const { rows } = await pool("claims").query<{ id: number }>({
    name: "claim-record",
    text: "INSERT INTO inbox_claims (inbox_ids) VALUES ($1::bigint[]) RETURNING id",
    values: [inboxIds],
  });
  return claimIdOf(rows);
}

/** Records that one delivery is tried alone, and takes it out of the claim that it was left in. */
export async function recordLoneClaim(inboxId: number, leftIn: number | null): Promise<number> {
  const { rows } = await pool("claims").query<{ id: number }>({
    name: "claim-record-alone",
    text: `WITH its_last AS (DELETE FROM inbox_claims WHERE id = $2 AND inbox_ids = ARRAY[$1::bigint]),
        one_of_many AS (UPDATE inbox_claims SET inbox_ids = array_remove(inbox_ids, $1::bigint) WHERE id = $2 AND inbox_ids <> ARRAY[$1::bigint])
      INSERT INTO inbox_claims (inbox_ids, alone) VALUES (ARRAY[$1::bigint], true) RETURNING id`,
    values: [inboxId, leftIn],
  });
  return claimIdOf(rows);
}

const claimIdOf = (rows: { id: number }[]): number => {
  if (!rows[0]) throw new Error("the claim was not recorded");
  return rows[0].id;
};

/** Ends claims that were rolled back because the database was unavailable: their deliveries may be claimed together again. */
export async function deleteClaims(ids: number[]): Promise<void> {
  await pool("claims").query("DELETE FROM inbox_claims WHERE id = ANY($1::bigint[])", [ids]);
}

export type LoneDelivery = {
  inboxId: number;
  workspaceId: WorkspaceId;
  /** The claim that it was left in; null for one whose next try is due. */
  leftIn: number | null;
  /** True when it was tried alone and its claim was not ended: it ended its process. */
  endedItsProcess: boolean;
};

const IN_TURN = "ORDER BY i.workspace_id <= $1, i.workspace_id, i.due_at, i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED";

/** A due retry of a workspace compared with $1, not in a claim: those are found by the claim. */
const retry = (
  workspace: string,
) => `SELECT i.id AS "inboxId", i.workspace_id AS "workspaceId", NULL::bigint AS "leftIn", false AS "endedItsProcess" FROM inbox i
  WHERE i.attempts > 0 AND i.due_at <= now() AND i.workspace_id ${workspace} AND i.id NOT IN (SELECT unnest(inbox_ids) FROM inbox_claims)
  ORDER BY i.workspace_id, i.due_at, i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED`;

const SOURCES = [
  `SELECT i.id AS "inboxId", i.workspace_id AS "workspaceId", c.id AS "leftIn", c.alone AS "endedItsProcess"
   FROM inbox_claims c CROSS JOIN LATERAL unnest(c.inbox_ids) AS u(inbox_id) JOIN inbox i ON i.id = u.inbox_id ${IN_TURN}`,
  retry("> $1"),
  retry("<= $1"),
];

/** False when no delivery is to be tried alone. Ordered like the index of retries: else, before statistics exist, all is read. */
export async function mayWaitAlone(client: Connection = pool("worker")): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT EXISTS (SELECT FROM inbox_claims) OR (SELECT count(*) > 0 FROM (
       SELECT FROM inbox WHERE attempts > 0 AND due_at <= now() ORDER BY workspace_id, due_at, id LIMIT 1) retry) AS may`,
  );
  return rows[0]?.may === true;
}

/** Locks the next delivery to be tried alone: one left in a claim, else a due retry. Workspaces take turns, after the last served. */
export async function lockNextAlone(client: pg.PoolClient, after: string): Promise<LoneDelivery | null> {
  for (const text of SOURCES) {
    const [row] = (await client.query<LoneDelivery>(text, [after])).rows;
    if (row && (row.leftIn === null || (await standsInClaim(client, row.inboxId, row.leftIn)))) return row;
  }
  return null;
}

/** Checked again once the lock is held: another worker may have ended the claim a moment before. */
const standsInClaim = (client: pg.PoolClient, inboxId: number, claimId: number): Promise<boolean> =>
  changesOne(client, "SELECT 1 FROM inbox_claims WHERE id = $2 AND $1 = ANY(inbox_ids)", [inboxId, claimId]);

export const deleteEmptyClaims = (): Promise<number> =>
  countChanged(pool("worker"), "DELETE FROM inbox_claims c WHERE NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = ANY(c.inbox_ids))");

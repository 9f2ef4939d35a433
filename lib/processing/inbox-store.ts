import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { waitingPlacesSql } from "#lib/db/log/waiting-sql";
import { pool } from "#lib/db/pool";
import { bodiesWithinBytes } from "#lib/db/within-bytes";

export type Claimed = {
  /** Null for a first delivery that is read from the log: it has no row in the inbox. */
  inboxId: number | null;
  workspaceId: WorkspaceId;
  sourceId: string;
  receivedAt: Date;
  seq: number;
  redeliveryId: string | null;
  /** Tries before this one. */
  attempts: number;
  eventId: string;
  type: string;
  created: number;
  body: Buffer;
};

export type InboxDelivery = Claimed & { inboxId: number };

type Row = {
  inbox_id: number;
  workspace_id: WorkspaceId;
  source_id: string;
  received_at: Date;
  seq: number;
  redelivery_id: string | null;
  attempts: number;
  /** Null when the event has left the log. */
  event_id: string | null;
  type: string;
  created: number;
  body: Buffer;
};

const withEvents = (deliveries: string) =>
  `SELECT d.id AS inbox_id, d.workspace_id, d.received_at, d.seq, d.redelivery_id, d.attempts, e.source_id, e.event_id, e.type, e.created, e.body
   FROM ${deliveries} d LEFT JOIN events e USING (received_at, seq)`;

const DELIVERY = "id, workspace_id, received_at, seq, redelivery_id, attempts";

/** Deliveries due for a first try and in no claim: of each workspace $2 at most $3, in all at most $1. */
const CLAIM_DUE = `WITH due AS MATERIALIZED (
    SELECT i.* FROM unnest($2::text[]) AS w(workspace_id) CROSS JOIN LATERAL (
      SELECT ${DELIVERY} FROM inbox
      WHERE workspace_id = w.workspace_id AND due_at <= now() AND attempts = 0 AND id NOT IN (SELECT unnest(inbox_ids) FROM inbox_claims)
      ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED) i LIMIT $1)
  ${bodiesWithinBytes(withEvents("due"), "inbox_id")}`;

export type ClaimRequest = {
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
  const orphans = rows.filter(({ event_id }) => event_id === null).map(({ inbox_id }) => inbox_id);
  if (orphans.length > 0) await client.query("DELETE FROM inbox WHERE id = ANY($1::bigint[])", [orphans]);
  return rows.flatMap((row) => (row.event_id === null ? [] : [claimedOf(row, row.event_id)]));
}

const claimedOf = (row: Row, eventId: string): InboxDelivery => ({
  inboxId: row.inbox_id,
  workspaceId: row.workspace_id,
  sourceId: row.source_id,
  receivedAt: row.received_at,
  seq: row.seq,
  redeliveryId: row.redelivery_id,
  attempts: row.attempts,
  eventId,
  type: row.type,
  created: row.created,
  body: row.body,
});

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
    [places.map(({ receivedAt }) => receivedAt.toISOString()), places.map(({ seq }) => seq)],
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

import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";

/** A claimed delivery: an event that waits to be applied, with its bytes. */
export type Claimed = {
  inboxId: number;
  workspaceId: WorkspaceId;
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

type Row = {
  inbox_id: number;
  workspace_id: WorkspaceId;
  received_at: Date;
  seq: number;
  redelivery_id: string | null;
  attempts: number;
  /** Null when the log has let go of the event. */
  event_id: string | null;
  type: string;
  created: number;
  body: Buffer;
};

/**
 * Claims up to `limit` due deliveries for the length of the transaction; other
 * workers pass over them. A worker that dies lets go with its connection; one
 * that hangs, when the database ends its idle transaction (db/pool.ts).
 */
export async function claimInbox(client: pg.PoolClient, limit: number): Promise<Claimed[]> {
  const { rows } = await client.query<Row>({
    name: "inbox-claim",
    text: `WITH due AS MATERIALIZED (
        SELECT id, workspace_id, received_at, seq, redelivery_id, attempts FROM inbox
        WHERE due_at <= now() ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
      SELECT d.id AS inbox_id, d.workspace_id, d.received_at, d.seq, d.redelivery_id, d.attempts, e.event_id, e.type, e.created, e.body
      FROM due d LEFT JOIN events e USING (received_at, seq) ORDER BY d.id`,
    values: [limit],
  });
  // Asked for again in the moment in which its month was dropped: it must not stand in the way for ever.
  const orphans = rows.filter(({ event_id }) => event_id === null);
  if (orphans.length > 0)
    await removeFromInbox(
      client,
      orphans.map(({ inbox_id }) => inbox_id),
    );
  return rows.flatMap((row) => (row.event_id === null ? [] : [claimedOf(row, row.event_id)]));
}

const claimedOf = (row: Row, eventId: string): Claimed => ({
  inboxId: row.inbox_id,
  workspaceId: row.workspace_id,
  receivedAt: row.received_at,
  seq: row.seq,
  redeliveryId: row.redelivery_id,
  attempts: row.attempts,
  eventId,
  type: row.type,
  created: row.created,
  body: row.body,
});

/** Takes applied deliveries out of the inbox, in the transaction that applied them. */
export async function removeFromInbox(client: pg.PoolClient, inboxIds: number[]): Promise<void> {
  await client.query({ name: "inbox-remove", text: "DELETE FROM inbox WHERE id = ANY($1::bigint[])", values: [inboxIds] });
}

/** Sets a delivery's next try. */
export async function postpone(client: pg.PoolClient, inboxId: number, attempts: number, dueAt: Date): Promise<void> {
  await client.query("UPDATE inbox SET attempts = $2, due_at = $3 WHERE id = $1", [inboxId, attempts, dueAt]);
}

/** Deliveries that wait, at most 1,001 counted, and since when the oldest does. */
export async function measureInbox(workspaceId: WorkspaceId): Promise<{ pending: number; oldestReceivedAt: Date | null }> {
  const { rows } = await pool().query<{ n: number; oldest: Date | null }>(
    "SELECT count(*) AS n, min(received_at) AS oldest FROM (SELECT received_at FROM inbox WHERE workspace_id = $1 LIMIT 1001) t",
    [workspaceId],
  );
  return { pending: rows[0]?.n ?? 0, oldestReceivedAt: rows[0]?.oldest ?? null };
}

import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { FoldableEvent } from "#lib/views/fold/plan";

/**
 * Begins a transaction that appends an event to the log, and leaves it open: like a receiver's whose
 * commit takes long. The event's key is committed at once, so that a test may lock that table meanwhile.
 *
 * @returns its connection: end the transaction on it, and release it
 */
export async function beginAppend(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { eventId, type, created, data }: FoldableEvent,
  receivedAt = new Date(),
): Promise<pg.PoolClient> {
  const body = Buffer.from(JSON.stringify({ id: eventId, type, created, data }));
  const { rows } = await pool().query<{ received_at: Date; seq: number }>(
    `INSERT INTO event_keys (source_id, event_id, workspace_id, received_at, seq, body_sha256)
     VALUES ($1, $2, $3, $5, nextval('events_seq'), sha256($4)) RETURNING received_at, seq`,
    [sourceId, eventId, workspaceId, body, receivedAt],
  );
  const client = await pool().connect();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
     VALUES ($1, $2, $3, $4, $5, $6, $7, true, 'raw', 'sec', $8, '{}')`,
    [rows[0]?.received_at, rows[0]?.seq, workspaceId, sourceId, eventId, type, created, body],
  );
  return client;
}

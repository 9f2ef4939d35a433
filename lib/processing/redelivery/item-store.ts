import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { LogPosition } from "./redelivery-store.ts";

/** An event of a frozen set, with its bytes. */
export type RedeliveryItem = LogPosition & { sourceId: string; eventId: string; type: string; created: number; body: Buffer };

type Row = { received_at: Date; seq: number; source_id: string; event_id: string; type: string; created: number; body: Buffer };

/** The next events of a frozen set, in the log's order: at least one, at most `limit`, and `bytes` of bodies together. */
export async function listRedeliveryItems(
  workspaceId: WorkspaceId,
  id: string,
  after: LogPosition | null,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<RedeliveryItem[]> {
  const { rows } = await pool().query<Row>(
    `SELECT received_at, seq, source_id, event_id, type, created, body FROM (
       SELECT e.received_at, e.seq, e.source_id, e.event_id, e.type, e.created, e.body,
              sum(octet_length(e.body)) OVER next AS upto, row_number() OVER next AS n
         FROM (SELECT received_at, seq FROM redelivery_items WHERE redelivery_id = $2 AND workspace_id = $1
           AND ($3::timestamptz IS NULL OR (received_at, seq) > ($3, $4::bigint)) ORDER BY received_at, seq LIMIT $5) i
         JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq WINDOW next AS (ORDER BY e.received_at, e.seq)) sized
      WHERE n = 1 OR upto <= $6 ORDER BY n`,
    [workspaceId, id, after?.receivedAt.toISOString() ?? null, after?.seq ?? 0, limit, bytes],
  );
  return rows.map(({ received_at, source_id, event_id, seq, type, created, body }) => ({
    receivedAt: received_at,
    seq,
    sourceId: source_id,
    eventId: event_id,
    type,
    created,
    body,
  }));
}

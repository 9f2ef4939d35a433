import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import type { LogPosition } from "./redelivery-store.ts";

/** An event of a frozen set, with its bytes. */
export type RedeliveryItem = LogPosition & { eventId: string; type: string; created: number; body: Buffer };

/** The next events of a frozen set, in the log's order. */
export async function listRedeliveryItems(
  workspaceId: WorkspaceId,
  id: string,
  after: LogPosition | null,
  limit: number,
): Promise<RedeliveryItem[]> {
  const { rows } = await pool().query<{ received_at: Date; seq: number; event_id: string; type: string; created: number; body: Buffer }>(
    `SELECT e.received_at, e.seq, e.event_id, e.type, e.created, e.body
     FROM (SELECT received_at, seq FROM redelivery_items WHERE redelivery_id = $2 AND workspace_id = $1
       AND ($3::timestamptz IS NULL OR (received_at, seq) > ($3, $4::bigint)) ORDER BY received_at, seq LIMIT $5) i
     JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq ORDER BY e.received_at, e.seq`,
    [workspaceId, id, after?.receivedAt.toISOString() ?? null, after?.seq ?? 0, limit],
  );
  return rows.map(({ received_at, event_id, ...row }) => ({ ...row, receivedAt: received_at, eventId: event_id }));
}

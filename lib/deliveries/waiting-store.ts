import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";

/** An event that waits to be applied. */
export type WaitingEvent = { inboxId: number; eventId: string; type: string; created: number; body: Buffer };

/** What waits in a workspace's inbox, in its order, at most `limit`; nothing is claimed. */
export async function listWaiting(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  afterInboxId: number,
  limit: number,
): Promise<WaitingEvent[]> {
  const { rows } = await client.query<{ id: number; event_id: string; type: string; created: number; body: Buffer }>(
    `SELECT i.id, e.event_id, e.type, e.created, e.body FROM inbox i JOIN events e USING (received_at, seq)
     WHERE i.workspace_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3`,
    [workspaceId, afterInboxId, limit],
  );
  return rows.map(({ id, event_id, type, created, body }) => ({ inboxId: id, eventId: event_id, type, created, body }));
}

import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** That an event came, and from where. `created` is the platform's, in Unix seconds. */
export type RecentArrival = { workspaceId: WorkspaceId; sourceId: SourceId; eventId: string; created: number; receivedAt: Date };

/**
 * The newest events that came in after a moment, in all workspaces.
 *
 * @param max of each workspace; of more that came, the older ones are passed over
 */
export async function listArrivalsSince(since: Date, max: number): Promise<RecentArrival[]> {
  const { rows } = await pool("worker").query<RecentArrival>(
    `SELECT w.id AS "workspaceId", e."sourceId", e."eventId", e.created, e."receivedAt" FROM workspaces w CROSS JOIN LATERAL (
       SELECT source_id AS "sourceId", event_id AS "eventId", created, received_at AS "receivedAt" FROM events
        WHERE workspace_id = w.id AND received_at > $1 ORDER BY received_at DESC, seq DESC LIMIT $2) e`,
    [since, max],
  );
  return rows;
}

import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ExpiredEvent } from "./expiry-store.ts";

/** Number of a workspace's events that retention has deleted and the audit log does not have yet, and when they were received. */
export type RetentionTally = { workspaceId: WorkspaceId; events: number; receivedFrom: Date; receivedTo: Date };

/** Counts deleted events, in the transaction that deletes them: a round that ends in the middle loses no count. */
export async function addToTallies(client: pg.PoolClient, events: ExpiredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await client.query(
    `INSERT INTO retention_tallies AS t (workspace_id, events, received_from, received_to)
     SELECT workspace, count(*), min(at), max(at) FROM unnest($1::text[], $2::timestamptz[]) AS u(workspace, at) GROUP BY workspace ORDER BY workspace
     ON CONFLICT (workspace_id) DO UPDATE SET events = t.events + excluded.events,
       received_from = least(t.received_from, excluded.received_from), received_to = greatest(t.received_to, excluded.received_to)`,
    [events.map(({ workspaceId }) => workspaceId), events.map(({ receivedAt }) => receivedAt)],
  );
}

/** Takes the counts, for the audit log of the same transaction. */
export async function takeTallies(client: pg.PoolClient): Promise<RetentionTally[]> {
  const { rows } = await client.query<RetentionTally>(
    `DELETE FROM retention_tallies
     RETURNING workspace_id AS "workspaceId", events, received_from AS "receivedFrom", received_to AS "receivedTo"`,
  );
  return rows;
}

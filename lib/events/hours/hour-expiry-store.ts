import type pg from "pg";
import { inTransaction, pool } from "#lib/db/pool";

// Rows of hours and of failures go together, while nobody adds the one to the other: who does holds the workspace's place.
const HOLD_PLACES = "SELECT FROM event_hour_places ORDER BY workspace_id FOR UPDATE";
const TABLES = ["event_hours", "event_hour_failures"] as const;

/** Deletes the counters of a stretch of time, of all workspaces: its partition goes in the same transaction, and no trigger sees that. */
export async function deleteHours(client: pg.PoolClient, { from, to }: { from: string; to: string }): Promise<void> {
  await client.query(HOLD_PLACES);
  for (const table of TABLES)
    await client.query(`DELETE FROM ${table} WHERE hour >= $1::timestamptz AND hour < $2::timestamptz`, [from, to]);
}

/**
 * Deletes the counters of hours before a log's first event: they are empty, or a worker of the release before has dropped their
 * partition.
 */
export async function deleteEmptyHours(): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    await client.query(HOLD_PLACES);
    for (const table of TABLES)
      await client.query(
        `DELETE FROM ${table} h USING (
           SELECT p.workspace_id, coalesce((SELECT min(e.received_at) FROM events e WHERE e.workspace_id = p.workspace_id), now()) AS oldest
           FROM event_hour_places p) p
         WHERE h.workspace_id = p.workspace_id AND h.hour < date_trunc('hour', p.oldest, 'UTC') AND h.hour < now() - interval '1 hour'`,
      );
  });
}

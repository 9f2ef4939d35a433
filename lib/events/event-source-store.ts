import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { keyOfSql } from "#lib/db/log/key-sql";
import { pool } from "#lib/db/pool";

/** Returns the IDs of the events' sources, by the events' numbers in the log. */
export async function listSourcesOf(
  client: pg.Pool | pg.PoolClient,
  events: { receivedAt: Date; seq: number }[],
): Promise<Map<number, string>> {
  const { rows } = await client.query<{ seq: number; sourceId: string }>({
    name: "events-sources",
    text: `SELECT e.seq, e.source_id AS "sourceId" FROM unnest($1::timestamptz[], $2::bigint[]) AS k(received_at, seq)
      JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq`,
    values: [events.map(({ receivedAt }) => receivedAt.toISOString()), events.map(({ seq }) => seq)],
  });
  return new Map(rows.map(({ seq, sourceId }) => [seq, sourceId]));
}

/** Returns the names of the events' sources by the events' IDs; events that have left the log are missing. */
export async function findSourceNames(workspaceId: WorkspaceId, eventIds: string[]): Promise<Map<string, string>> {
  if (eventIds.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; name: string }>(
    `SELECT k.event_id AS id, s.name FROM event_keys k JOIN sources s ON s.id = k.source_id
     WHERE ${keyOfSql("k", "$1")} AND k.event_id = ANY($2::text[])`,
    [workspaceId, eventIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

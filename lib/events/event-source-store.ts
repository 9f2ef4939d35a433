import type pg from "pg";

/** The source that each of these events came from, by the event's number in the log. */
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

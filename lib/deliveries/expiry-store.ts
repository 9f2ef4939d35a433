import type pg from "pg";

/** Forgets the tries and the dead letters of events that leave the log. */
export async function deleteTries(client: pg.PoolClient, events: { receivedAt: string; seq: number }[]): Promise<void> {
  const positions = [events.map(({ receivedAt }) => receivedAt), events.map(({ seq }) => seq)];
  for (const table of ["attempts", "dead_letters", "issue_events"])
    await client.query(
      `DELETE FROM ${table} t USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) WHERE t.received_at = u.at AND t.seq = u.seq`,
      positions,
    );
}

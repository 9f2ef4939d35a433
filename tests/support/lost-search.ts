import { pool } from "#lib/db/pool";

/** Empties what the server does not write to its write-ahead log, as a crash or a failover does. */
export async function loseUnlogged(): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  await pool().query(`TRUNCATE ${rows.map(({ name }) => name).join(", ")}`);
}

/** The IDs of events that the log holds and the search does not. */
export async function listUnfiled(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT e.event_id AS id FROM events e WHERE NOT EXISTS (SELECT 1 FROM event_search f
       WHERE f.workspace_id = e.workspace_id AND f.received_at = e.received_at AND f.seq = e.seq) ORDER BY e.seq`,
  );
  return rows.map(({ id }) => id);
}

import { connectionOptions, DatabaseClient } from "../connection/client.ts";

/** Most connections of a process: its pools and listeners (docs/maintenance.md). */
export const CONNECTIONS = { web: 21, worker: 25 };

type Limits = { role: number | null; database: number | null; server: number };

/** Returns which limit (role, database, server) is too low for a web process and a worker; null if none is. */
export async function findNarrowLimit(databaseUrl: string): Promise<string | null> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, { name: "signalbox-start", statementMs: 5000, connectMs: 5000 }));
  await client.connect();
  try {
    const { rows } = await client.query<Limits>(
      `SELECT (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user AND NOT rolsuper) AS role,
         (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()) AS database,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS server`,
    );
    return narrowWords(rows[0]);
  } finally {
    await client.end();
  }
}

function narrowWords(limits: Limits | undefined): string | null {
  const needed = CONNECTIONS.web + CONNECTIONS.worker;
  const found = Object.entries(limits ?? {}).filter((entry): entry is [string, number] => entry[1] !== null && entry[1] < needed);
  if (found.length === 0) return null;
  const words = found.map(([of, limit]) => `the ${of} allows ${limit}`).join(", ");
  return `Too few connections: ${words}; a web process takes up to ${CONNECTIONS.web}, a worker ${CONNECTIONS.worker}. Raise the limit, or events may be stored and not applied.`;
}

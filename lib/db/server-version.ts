import pg from "pg";

/** Older servers lack what the log is built on. */
export const OLDEST_POSTGRES = 15;

/**
 * The major version of a server.
 *
 * @throws Error when it does not answer within 5 s
 */
export async function findServerVersion(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined); // the query fails instead
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
    return Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
  } finally {
    await client.end();
  }
}

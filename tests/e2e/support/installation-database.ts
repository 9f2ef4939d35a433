import path from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { dataDir } from "./installation.ts";

const addresses = new Map<string, string>();

/** The address of an installation's own database, straight. */
export async function databaseAddress(at?: number): Promise<string> {
  const directory = path.join(dataDir(at), "postgres");
  const address = addresses.get(directory) ?? (await startEmbeddedPostgres({ directory })).url;
  addresses.set(directory, address);
  return address;
}

/** Asks it one thing. */
export async function queryInstallation<T extends pg.QueryResultRow>(sql: string, values: unknown[] = [], at?: number): Promise<T[]> {
  const client = new pg.Client({ connectionString: await databaseAddress(at) });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Archives what a file added: the others of the installation expect one source. */
export async function archiveAddedSources(): Promise<void> {
  await queryInstallation("UPDATE sources SET archived_at = now() WHERE name <> 'platform' AND archived_at IS NULL");
}

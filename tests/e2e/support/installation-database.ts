import path from "node:path";
import { expect, type Page } from "@playwright/test";
import pg from "pg";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { hashToken } from "#lib/vault/opaque-token";
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

/** Lets the proof that this page's session has of its person be older than secrets, keys and members ask for. Other sessions stay. */
export async function ageSession(page: Page): Promise<void> {
  await changeSession(page, "UPDATE sessions SET confirmed_at = now() - interval '16 minutes'");
}

/** Ends the session of this page, as somebody else may: its feed is closed at once. */
export async function endSession(page: Page): Promise<void> {
  await changeSession(page, "DELETE FROM sessions");
  await queryInstallation("SELECT pg_notify('signalbox_rights', '')");
}

async function changeSession(page: Page, change: string): Promise<void> {
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith(".session"));
  expect(await queryInstallation(`${change} WHERE id_hash = $1 RETURNING id_hash`, [hashToken(cookie?.value ?? "")])).toHaveLength(1);
}

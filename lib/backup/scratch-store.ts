import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type pg from "pg";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { BackupError } from "./format/backup-file.ts";

/** A restored database needs about the size of its origin, plus the log of the restore. */
const ROOM = 1.5;

/** Creates an empty database. @returns its URL @throws BackupError without the right or, on this machine, the room */
export async function createScratch(client: pg.Client, name: string, databaseUrl: string): Promise<string> {
  await requireRight(client);
  await requireRoom(client);
  // Nobody is connected to template0: a connection would block this.
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a scratch database with its connections; a missing one is no error. */
export async function dropScratch(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
}

async function requireRight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean; role: string }>(
    "SELECT rolcreatedb OR rolsuper AS may, rolname AS role FROM pg_roles WHERE rolname = current_user",
  );
  if (rows[0]?.may !== false) return;
  throw new BackupError(
    `The database role ${rows[0].role} may not create a database, so that no backup can be restored beside this one. Run: ALTER ROLE ${client.escapeIdentifier(rows[0].role)} CREATEDB. Or set BACKUP_PROVE_EVERY=0 and restore one elsewhere yourself.`,
  );
}

/** Keeps the copy from filling the disk, which would stop the database. No server tells the room on another machine. */
async function requireRoom(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ bytes: number; folder: string | null }>(
    `SELECT pg_database_size(current_database())::float8 AS bytes,
       CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN current_setting('data_directory', true) END AS folder`,
  );
  const [found] = rows;
  if (!found?.folder || !existsSync(found.folder)) return;
  const { bavail, bsize } = await statfs(found.folder);
  if (bavail * bsize > found.bytes * ROOM) return;
  throw new BackupError(
    `The database's disk has no room for the copy that a test restore makes (${formatNumber(Math.ceil((found.bytes * ROOM) / 1_000_000))} MB). Free up space, or set BACKUP_PROVE_EVERY=0 and test a restore elsewhere.`,
  );
}

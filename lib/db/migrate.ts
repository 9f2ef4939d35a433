import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { ENSURE_PARTITIONS } from "./partitions.ts";

/** The number of the advisory lock that Prisma Migrate itself takes. */
const PRISMA_LOCK = 72_707_369;

const LEDGER = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

type Migration = { name: string; sql: string; checksum: string };
type LedgerRow = { name: string; checksum: string; finished: boolean };

export const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, "../../prisma/migrations");

/**
 * Applies the migrations that the database lacks, in order, in Prisma's own
 * ledger (`prisma migrate status` agrees), then makes the log's partitions.
 * Prisma's command-line tool stays out of run time: it takes seconds, this
 * takes milliseconds. Any number of processes may call it at once.
 *
 * @returns the names of the migrations that were applied now
 * @throws Error naming the migration that failed, now or earlier, or that was edited after it was applied
 */
export async function migrate(databaseUrl: string, folder: string = MIGRATIONS_FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, application_name: "signalbox-migrate" });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]);
    await client.query(LEDGER);
    const missing = findMissing(readMigrations(folder), await readLedger(client));
    for (const migration of missing) await apply(client, migration);
    await client.query(ENSURE_PARTITIONS);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * The migrations that a database lacks, without applying them.
 *
 * @throws Error as `migrate` does
 */
export async function listMissingMigrations(databaseUrl: string, folder: string = MIGRATIONS_FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ ledger: string | null }>("SELECT to_regclass('_prisma_migrations')::text AS ledger");
    const done = rows[0]?.ledger ? await readLedger(client) : [];
    return findMissing(readMigrations(folder), done).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

async function readLedger(client: pg.Client): Promise<LedgerRow[]> {
  const { rows } = await client.query<LedgerRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

function findMissing(migrations: Migration[], ledger: LedgerRow[]): Migration[] {
  const done = new Map(ledger.map((row) => [row.name, row]));
  return migrations.filter(({ name, checksum }) => {
    const row = done.get(name);
    if (!row) return true;
    if (!row.finished)
      throw new Error(`The migration ${name} failed earlier. Mend the database, then run: npx prisma migrate resolve --applied ${name}`);
    if (row.checksum !== checksum)
      throw new Error(
        `The migration ${name} was edited after it was applied to this database. Restore the file, or start with an empty database.`,
      );
    return false;
  });
}

/** One migration in one transaction with its ledger row: applied whole or not at all. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw new Error(`The migration ${name} can't be applied: ${(cause as Error).message}`, { cause });
  }
}

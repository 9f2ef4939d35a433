import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { EnvError } from "#lib/config/env";
import { codeOf } from "#lib/observability/logger";
import { systemClock } from "#lib/time/clock";
import { requireAllEarlier } from "./baseline.ts";
import { connectionOptions, DatabaseClient } from "./client.ts";
import { isLockBusy, retryWhileBusy } from "./locks.ts";
import { AT_START, ensurePartitions, keepLogClock } from "./log-maintenance.ts";
import { queryValue } from "./rows.ts";

/** Advisory lock that Prisma Migrate itself takes. */
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

/** A migration may rewrite a table, or wait for one that another process applies. */
const MIGRATION_LIMITS = { name: "signalbox-migrate", statementMs: 30 * 60_000, connectMs: 10_000 };
const LEDGER_LIMITS = { name: "signalbox-migrate", statementMs: 5000, connectMs: 5000 };

/** A minute and a half; appends go on between the tries. */
const LOCK_RETRIES = { tries: 60, pauseMs: 500 };
const BUSY = "another session has locked its tables for more than a minute (a dump or a long report?). Start again when it has finished.";

/** Duplicate table, object, function. */
const TAKEN = new Set(["42P07", "42710", "42723"]);

type Migration = { name: string; sql: string; checksum: string };
type StoredRow = { name: string; checksum: string; finished: boolean };
/** `checksum` is null where earlier migrations made what this one makes. */
type LedgerRow = Omit<StoredRow, "checksum"> & { checksum: string | null };

export const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, "../../prisma/migrations");

/**
 * Applies missing migrations in Prisma's ledger (its tool takes seconds, this milliseconds), then makes partitions and keeps the log's
 * clock. Any number of processes may call it. @throws Error naming a failed or edited migration; EnvError on a newer database
 */
export async function migrate(databaseUrl: string, folder: string = MIGRATIONS_FOLDER, only?: ReadonlySet<string>): Promise<string[]> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, MIGRATION_LIMITS));
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]);
    await client.query(LEDGER);
    const ledger = await readLedger(client);
    const known = readMigrations(folder);
    const floor = await readFloor(client);
    assertFits(fitOf({ ledger: namesOf(ledger), known: namesOf(known), floor }));
    // Before what breaks earlier code; where the table itself comes with the migrations, after them.
    if (!only && floor !== null) await raiseFloor(client);
    const missing = findMissing(known, ledger).filter(({ name }) => only?.has(name) ?? true);
    for (const migration of missing) await apply(client, migration);
    for (const migration of known) if (standsForEarlier(migration, ledger)) await insertLedgerRow(client, migration);
    await ensurePartitions(new Date(systemClock.now()), client, AT_START);
    // An earlier schema may lack what these read; its caller migrates on from there.
    if (!only) await keepLogClock(client);
    if (!only) await raiseFloor(client);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** @throws Error as `migrate` does */
export async function listMissingMigrations(databaseUrl: string): Promise<string[]> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LEDGER_LIMITS));
  await client.connect();
  try {
    return namesOf(findMissing(readMigrations(), await findLedger(client)));
  } finally {
    await client.end();
  }
}

export async function examineSchema(databaseUrl: string): Promise<SchemaFit> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LEDGER_LIMITS));
  await client.connect();
  try {
    const ledger = await findLedger(client);
    return fitOf({ ledger: namesOf(ledger), known: listKnownMigrations(), floor: await readFloor(client) });
  } finally {
    await client.end();
  }
}

const namesOf = (migrations: { name: string }[]) => migrations.map(({ name }) => name);

export const listKnownMigrations = (): string[] => namesOf(readMigrations());

let newest: string | undefined;

export function newestKnownMigration(): string {
  newest ??= listKnownMigrations().at(-1) ?? "";
  return newest;
}

function readMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

async function findLedger(client: pg.Client): Promise<LedgerRow[]> {
  const { rows } = await client.query<{ ledger: string | null }>("SELECT to_regclass('_prisma_migrations')::text AS ledger");
  return rows[0]?.ledger ? readLedger(client) : [];
}

async function readLedger(client: pg.Client): Promise<LedgerRow[]> {
  const { rows } = await client.query<StoredRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  await requireOwn(client, namesOf(rows));
  const finished = new Set(requireAllEarlier(namesOf(rows.filter((row) => row.finished))));
  const applied = rows.filter((row) => !row.finished || finished.delete(row.name));
  return [...applied, ...[...finished].map((name) => ({ name, checksum: null, finished: true }))];
}

/** @throws EnvError where another program keeps its migrations: Prisma's ledger has the same name everywhere */
async function requireOwn(client: pg.Client, applied: string[]): Promise<void> {
  const known = listKnownMigrations();
  const foreign = applied.find((name) => !known.includes(name));
  if (foreign === undefined) return;
  const { rows } = await client.query<{ database: string; ours: boolean }>(
    "SELECT current_database() AS database, to_regclass('event_keys') IS NOT NULL AS ours",
  );
  if (rows[0]?.ours) return;
  throw new EnvError(
    `The database ${rows[0]?.database} belongs to another program: it has that program's migration ${foreign} and no tables of Signalbox. Nothing was changed.\n${OF_ITS_OWN}`,
  );
}

const OF_ITS_OWN = "Create a database for Signalbox alone, and name it in DATABASE_URL.";

const standsForEarlier = ({ name }: Migration, ledger: LedgerRow[]) => ledger.some((row) => row.name === name && row.checksum === null);

function findMissing(migrations: Migration[], ledger: LedgerRow[]): Migration[] {
  const done = new Map(ledger.map((row) => [row.name, row]));
  return migrations.filter(({ name, checksum }) => {
    const row = done.get(name);
    if (!row) return true;
    if (!row.finished)
      throw new Error(`The migration ${name} failed earlier. Fix the database, then run: npx prisma migrate resolve --applied ${name}`);
    if (row.checksum !== null && row.checksum !== checksum)
      throw new Error(
        `The migration ${name} was edited after it was applied to this database. Restore the file, or start with an empty database.`,
      );
    return false;
  });
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await retryWhileBusy(() => applyOnce(client, migration), LOCK_RETRIES);
  } catch (cause) {
    const { message } = cause as Error;
    const why = isLockBusy(cause) ? BUSY : TAKEN.has(codeOf(cause)) ? `${message}: another program made it. ${OF_ITS_OWN}` : message;
    throw new Error(`The migration ${migration.name} can't be applied: ${why}`, { cause });
  }
}

/** One migration in one transaction with its ledger row: applied whole or not at all. */
async function applyOnce(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    // A table's writers queue up behind a statement that waits for its lock: only for as long as they can wait.
    await client.query("SET LOCAL lock_timeout = '1s'");
    await client.query(migration.sql);
    await insertLedgerRow(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

const insertLedgerRow = (client: pg.Client, { name, checksum }: Migration) =>
  client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
    [randomUUID(), checksum, name],
  );

/**
 * The oldest migration that code must know to run on this schema: the newest of the release before. Raise it with every release.
 * A migration that breaks the release before raises it further, and the changelog says to stop all processes for the update.
 */
export const OLDEST_RUNNABLE = "20261129060000_search_unlogged";

/** `newer`: a newer version prepared the database, and this one may run on. */
type SchemaFit = { outcome: "known" } | { outcome: "newer"; words: string } | { outcome: "too_new"; words: string };

type Found = { ledger: string[]; known: string[]; floor: string | null };

export function fitOf({ ledger, known, floor }: Found): SchemaFit {
  const unknown = ledger.filter((name) => !known.includes(name)).sort();
  if (unknown.length === 0) return { outcome: "known" };
  const newest = known.at(-1) ?? "none";
  const others = unknown.length > 1 ? ` and ${unknown.length - 1} more` : "";
  const found = `A newer version of Signalbox has prepared this database: it has the migration ${unknown.at(-1)}${others}, which this version does not know.`;
  if (floor !== null && newest >= floor)
    return { outcome: "newer", words: `${found} This version can still run on it during a rolling update. Update it too.` };
  const needs = floor === null ? "a version that knows it" : `a version that knows the migration ${floor}`;
  return {
    outcome: "too_new",
    words: `${found}\nIt requires ${needs}; the newest migration that this version knows is ${newest}. Nothing was changed.\nStart the version that prepared the database, or use the database that belongs to this one.`,
  };
}

/** Returns what to say about an older version. @throws EnvError if it is too old for the database */
export function assertFits(fit: SchemaFit): string | null {
  if (fit.outcome === "too_new") throw new EnvError(fit.words);
  return fit.outcome === "newer" ? fit.words : null;
}

/** Returns null where no version has set a floor. */
async function readFloor(client: pg.Client): Promise<string | null> {
  const { rows: table } = await client.query<{ found: string | null }>("SELECT to_regclass('schema_floor')::text AS found");
  if (!table[0]?.found) return null;
  return queryValue<{ floor: string }>(client, "SELECT oldest_runnable AS floor FROM schema_floor");
}

/** Raises the floor, which never falls: an older version that starts again knows less. */
async function raiseFloor(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO schema_floor (oldest_runnable) VALUES ($1)
     ON CONFLICT (id) DO UPDATE SET oldest_runnable = greatest(schema_floor.oldest_runnable, excluded.oldest_runnable)`,
    [OLDEST_RUNNABLE],
  );
}

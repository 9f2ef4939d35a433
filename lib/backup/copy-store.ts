import { once } from "node:events";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { requireAllEarlier } from "#lib/db/baseline";
import { connectionOptions, DatabaseClient } from "#lib/db/client";
import { raiseLogClock } from "#lib/db/log-maintenance";
import { queryRows, queryValue, queryValues } from "#lib/db/rows";
import { SEALED_TABLES } from "#lib/vault/sealed-row-store";
import { type BackedUpTable, BackupError, type BackupHead, type BackupManifest, RowDigest } from "./format/backup-file.ts";
import type { BackupPart } from "./format/read-backup.ts";

/** Statements have no limit; waiting for a lock or a connection has. */
const LIMITS = { name: "signalbox-backup", statementMs: 0, connectMs: 10_000 };
const LOCK_PATIENCE = "60s";

/** A server that is silent for this long is gone. */
const SILENCE_LIMIT_MS = 120_000;

/** One spelling of a row, whatever the server's and the role's defaults. */
const SPELLING = `SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC';
  SET extra_float_digits = 3; SET bytea_output = 'hex'; SET idle_in_transaction_session_timeout = 0`;

/** Opens a connection without statement limit. `signal` destroys it until `work` ignores that: a cut commit's outcome is unknown. */
export async function onBackupConnection<T>(
  databaseUrl: string,
  signal: AbortSignal,
  work: (client: pg.Client, ignoreSignal: () => void) => Promise<T>,
): Promise<T> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LIMITS));
  const cut = () => client.destroy();
  await client.connect();
  const ignoreSignal = () => signal.removeEventListener("abort", cut);
  signal.addEventListener("abort", cut, { once: true });
  try {
    signal.throwIfAborted();
    await client.query(SPELLING);
    return await work(client, ignoreSignal);
  } finally {
    ignoreSignal();
    await client.end().catch(() => undefined);
  }
}

/** Runs `work` on one snapshot; tables keep their columns meanwhile, and writers go on. */
export async function inBackupSnapshot<T>(client: pg.Client, work: (tables: BackedUpTable[]) => Promise<T>): Promise<T> {
  const names = (await listTables(client)).map(({ name }) => client.escapeIdentifier(name));
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`SET LOCAL lock_timeout = '${LOCK_PATIENCE}'`);
  // Before the first query: the snapshot is taken when no migration can change a table.
  await client.query(`LOCK TABLE ${names.join(", ")} IN ACCESS SHARE MODE`);
  const result = await work(await listTables(client));
  await client.query("COMMIT");
  return result;
}

/** Reads rows in COPY's text format. @throws Error if the server falls silent */
export async function* copyRows(client: pg.Client, { name, columns }: BackedUpTable): AsyncGenerator<Buffer> {
  const listed = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  // As a query: COPY itself doesn't read a partitioned table.
  const stream = client.query(copyTo(`COPY (SELECT ${listed} FROM ${client.escapeIdentifier(name)}) TO STDOUT`));
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const silence = setTimeout(() => stream.destroy(new Error("the database sent nothing for two minutes")), SILENCE_LIMIT_MS);
    const { value, done } = await chunks.next().finally(() => clearTimeout(silence));
    if (done) return;
    yield value as Buffer;
  }
}

/** Lists the vault keys in use. @param tables those that exist: an earlier schema lacks some */
export async function listKeyIds(client: pg.Client, tables: BackedUpTable[]): Promise<string[]> {
  const isThere = (table: string, column: string) => tables.some(({ name, columns }) => name === table && columns.includes(column));
  const keyed = SEALED_TABLES.flatMap(({ table, keyColumn, live }) =>
    keyColumn && isThere(table, keyColumn) ? `SELECT ${keyColumn} AS key_id FROM ${table} WHERE ${live}` : [],
  );
  return queryValues<{ id: string }>(client, `SELECT DISTINCT key_id AS id FROM (${keyed.join(" UNION ")}) k ORDER BY 1`);
}

type LoadOptions = {
  head: BackupHead;
  onRows: (rows: number) => void;
  onPhase: (phase: "indexes" | "checking") => void;
  /** Called in the transaction that holds all rows. */
  complete: (client: pg.Client) => Promise<void>;
  beforeCommit: () => void;
};

/** Writes a backup into an empty database in one transaction; rows are read back before the commit. @throws BackupError if they differ */
export async function loadBackup(client: pg.Client, parts: AsyncIterable<BackupPart>, options: LoadOptions): Promise<void> {
  const tables = new Map(options.head.tables.map((table) => [table.name, table]));
  await client.query("BEGIN");
  await prepare(client, options.head);
  const indexes = await dropIndexes(client, [...tables.keys()]);
  const manifest = await copyParts(client, parts, tables, options.onRows);
  options.onPhase("indexes");
  for (const definition of indexes) await client.query(definition);
  await setSequences(client, manifest.sequences);
  options.onPhase("checking");
  for (const sum of manifest.tables) await compare(client, tables.get(sum.name), sum);
  await raiseLogClock(client);
  await options.complete(client);
  await setTriggers(client, [...tables.keys()], "ENABLE");
  options.beforeCommit();
  await client.query("COMMIT");
}

/** Makes statistics: queries would be slow until autovacuum does. */
export async function analyze(client: pg.ClientBase): Promise<void> {
  await client.query("ANALYZE");
}

/** @throws BackupError naming the tables that hold rows */
export async function requireNoRows(client: pg.ClientBase): Promise<void> {
  const filled = await listFilled(client);
  if (filled.length === 0) return;
  const named = `${filled.slice(0, 3).join(", ")}${filled.length > 3 ? " and more" : ""}`;
  throw new BackupError(
    `This database is not empty (rows in ${named}). Nothing was changed. Restore into an empty one: create another database for DATABASE_URL, or set DATA_DIR to a new folder, with secrets.env of the installation that made the backup in it.`,
  );
}

/** Locks out writers, disables triggers (the backup holds their effects) and removes the rows that migrations made. */
async function prepare(client: pg.Client, { tables, months }: BackupHead): Promise<void> {
  const names = tables.map(({ name }) => name);
  await client.query(`LOCK TABLE ${names.map((name) => client.escapeIdentifier(name)).join(", ")} IN ACCESS EXCLUSIVE MODE`);
  await requireNoRows(client);
  await setTriggers(client, names, "DISABLE");
  for (const name of names) await client.query(`DELETE FROM ${client.escapeIdentifier(name)}`);
  for (const { table, month } of months) await client.query("SELECT attach_month($1, $2::date)", [table, month]);
}

async function setTriggers(client: pg.Client, names: string[], verb: "ENABLE" | "DISABLE"): Promise<void> {
  for (const name of names) await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} ${verb} TRIGGER USER`);
}

/** Drops indexes that no constraint needs: building them at the end costs a fraction. @returns how to make them again */
async function dropIndexes(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY ($1)
       AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ORDER BY i.indexrelid`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition.replace(/ ON ONLY /, " ON "));
}

async function copyParts(
  client: pg.Client,
  parts: AsyncIterable<BackupPart>,
  tables: Map<string, BackedUpTable>,
  onRows: (rows: number) => void,
): Promise<BackupManifest> {
  let copy: Copy | undefined;
  for await (const each of parts) {
    if (each.part === "table") copy = begin(client, tables.get(each.name));
    if (each.part === "rows") {
      await copy?.write(each.data);
      onRows(each.rows);
    }
    if (each.part === "end of table") await copy?.end();
    if (each.part === "manifest") return each.manifest;
  }
  throw new Error("a backup without its manifest was read");
}

type Copy = { write: (data: Buffer) => Promise<void>; end: () => Promise<void> };

function begin(client: pg.Client, table: BackedUpTable | undefined): Copy {
  if (!table)
    throw new BackupError(
      "The backup is damaged: it contains a table that its header does not list. Nothing was changed. Use another copy.",
    );
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const stream = client.query(copyFrom(`COPY ${client.escapeIdentifier(table.name)} (${columns}) FROM STDIN`));
  const ended = finished(stream);
  ended.catch(() => undefined); // the next write throws it
  return {
    write: async (data) => {
      if (stream.errored) throw stream.errored;
      if (!stream.write(data)) await Promise.race([once(stream, "drain"), ended]);
    },
    end: async () => {
      stream.end();
      await ended;
    },
  };
}

async function setSequences(client: pg.Client, sequences: BackupManifest["sequences"]): Promise<void> {
  for (const { name, value } of sequences) await client.query("SELECT setval($1::regclass, $2::bigint)", [`"${name}"`, value]);
}

async function compare(client: pg.Client, table: BackedUpTable | undefined, sum: BackupManifest["tables"][number]): Promise<void> {
  if (!table) throw new BackupError(`The backup is damaged: it has no rows for ${sum.name}. Nothing was changed. Use another copy.`);
  const digest = new RowDigest();
  for await (const chunk of copyRows(client, table)) digest.add(chunk);
  if (digest.rows === sum.rows && digest.hash() === sum.hash) return;
  throw new BackupError(`The rows written to ${sum.name} do not match the backup. Nothing was changed. Try again, or use another copy.`);
}

/** Tables that tell of this database, not of what it holds; and the search, which is filed again from the log. */
const LEFT_OUT = [
  ...["_prisma_migrations", "schema_floor", "backups", "backup_proofs"],
  ...["event_search", "event_search_marker", "event_search_refiling"],
];

/** Tables in which a migration put a row that every database has. */
const SEEDED = ["log_clock", "event_search_progress"];

/** Root tables: partitions are reached through them. */
const TABLES = `SELECT c.relname AS name,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
    ARRAY(SELECT DISTINCT f.confrelid::regclass::text FROM pg_constraint f
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS parents
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`;

/** Lists tables, each after those that its foreign keys name. */
export async function listTables(client: pg.ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable & { parents: string[] }>(TABLES);
  const left = new Map(rows.filter(({ name }) => !LEFT_OUT.includes(name)).map((table) => [table.name, table]));
  const sorted: BackedUpTable[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ parents }) => parents.every((parent) => !left.has(parent)));
    if (ready.length === 0) throw new Error(`foreign keys go round in a circle: ${[...left.keys()].join(", ")}`);
    for (const { name, columns } of ready) {
      sorted.push({ name, columns });
      left.delete(name);
    }
  }
  return sorted;
}

export const listMonths = (client: pg.ClientBase): Promise<BackupHead["months"]> =>
  queryRows<{ table: string; month: string }>(
    client,
    `SELECT i.inhparent::regclass::text AS table, replace(right(c.relname, 7), '_', '-') || '-01' AS month
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent IN ('events'::regclass, 'event_search'::regclass) AND c.relname ~ '_\\d{4}_\\d{2}$' ORDER BY c.relname`,
  );

/** The migrations that a database has, the baseline in the place of those before it; null when it is no database of ours. */
export async function listApplied(client: pg.ClientBase): Promise<string[] | null> {
  const { rows: ledger } = await client.query<{ found: string | null }>("SELECT to_regclass('_prisma_migrations')::text AS found");
  if (!ledger[0]?.found) return null;
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return requireAllEarlier(rows.map(({ name }) => name));
}

/** Lists tables with rows that no migration put there. */
async function listFilled(client: pg.ClientBase): Promise<string[]> {
  const tables = (await listTables(client)).filter(({ name }) => !SEEDED.includes(name));
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${client.escapeIdentifier(name)} LIMIT 1`);
    if (rowCount) filled.push(name);
  }
  return filled;
}

/** Returns how many rows there are about, from the server's statistics: for progress only. */
export async function estimateRows(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `SELECT coalesce(sum(greatest(s.n_live_tup, c.reltuples)), 0)::float8 AS rows
     FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid WHERE s.schemaname = 'public' AND c.relkind = 'r' AND c.relname !~ '^event_search_'`,
  );
  return Math.round(rows[0]?.rows ?? 0);
}

export const findNewestPosition = (client: pg.ClientBase): Promise<string | null> =>
  queryValue<{ position: string }>(
    client,
    "SELECT e.xid::text || '-' || e.seq AS position FROM events e ORDER BY e.xid DESC, e.seq DESC LIMIT 1",
  );

export const listSequences = (client: pg.ClientBase): Promise<{ name: string; value: string }[]> =>
  queryRows<{ name: string; value: string }>(
    client,
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`,
  );

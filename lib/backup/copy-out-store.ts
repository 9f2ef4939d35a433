import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connectionOptions, DatabaseClient } from "#lib/db/connection/client";
import { SEALED_TABLES } from "#lib/vault/sealed-row-store";
import type { BackedUpTable } from "./format/backup-file.ts";
import { listTables } from "./layout-store.ts";

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
  const { rows } = await client.query<{ id: string }>(`SELECT DISTINCT key_id AS id FROM (${keyed.join(" UNION ")}) k ORDER BY 1`);
  return rows.map(({ id }) => id);
}

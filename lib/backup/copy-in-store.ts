import { once } from "node:events";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { raiseLogClock } from "#lib/db/log/log-clock";
import { copyRows } from "./copy-out-store.ts";
import { type BackedUpTable, BackupError, type BackupHead, type BackupManifest } from "./format/backup-file.ts";
import type { BackupPart } from "./format/read-backup.ts";
import { RowDigest } from "./format/row-digest.ts";
import { listFilled } from "./layout-store.ts";

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

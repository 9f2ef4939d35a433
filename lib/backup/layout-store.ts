import type pg from "pg";
import { requireAllEarlier } from "#lib/db/baseline";
import type { BackedUpTable, BackupHead } from "./format/backup-file.ts";

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

export async function listMonths(client: pg.ClientBase): Promise<BackupHead["months"]> {
  const { rows } = await client.query<{ table: string; month: string }>(
    `SELECT i.inhparent::regclass::text AS table, replace(right(c.relname, 7), '_', '-') || '-01' AS month
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent IN ('events'::regclass, 'event_search'::regclass) AND c.relname ~ '_\\d{4}_\\d{2}$' ORDER BY c.relname`,
  );
  return rows;
}

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
export async function listFilled(client: pg.ClientBase): Promise<string[]> {
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

export async function findNewestPosition(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ position: string }>(
    "SELECT e.xid::text || '-' || e.seq AS position FROM events e ORDER BY e.xid DESC, e.seq DESC LIMIT 1",
  );
  return rows[0]?.position ?? null;
}

export async function listSequences(client: pg.ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`,
  );
  return rows;
}

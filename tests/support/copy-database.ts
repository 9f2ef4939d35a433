import pg from "pg";

const PAGE = 5000;

/** Root tables with rows of their own: partitions are reached through their parents. */
const TABLES = `SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname`;

/**
 * Copies all rows of a database into a migrated one of another cluster, and its sequences, as a restore of a dump
 * does: every value as it is, positions of the log among them.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new pg.Client({ connectionString: from });
  const target = new pg.Client({ connectionString: to });
  await Promise.all([source.connect(), target.connect()]);
  try {
    await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await target.query("SET session_replication_role = replica"); // foreign keys, in whatever order
    const { rows } = await source.query<{ name: string }>(TABLES);
    for (const { name } of rows) await copyTable(source, target, pg.escapeIdentifier(name));
    await copySequences(source, target);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

async function copyTable(source: pg.Client, target: pg.Client, table: string): Promise<void> {
  await target.query(`DELETE FROM ${table}`);
  await source.query(`DECLARE reader NO SCROLL CURSOR FOR SELECT to_json(t)::text AS row FROM ${table} t`);
  for (;;) {
    const { rows } = await source.query<{ row: string }>(`FETCH ${PAGE} FROM reader`);
    if (rows.length === 0) break;
    const page = `[${rows.map(({ row }) => row).join(",")}]`;
    await target.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`, [page]);
  }
  await source.query("CLOSE reader");
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; value: string }>(
    "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
  );
  for (const { name, value } of rows) await target.query("SELECT setval($1::regclass, $2::bigint)", [name, value]);
}

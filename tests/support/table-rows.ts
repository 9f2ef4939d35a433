import { inTransaction, pool } from "#lib/db/pool";

/** The rows of tables, as JSON arrays in text. */
export type TableRows = { table: string; rows: string }[];

/** The product's tables; those of the audit log are its own matter, and so is the schema's history. */
async function listTables(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT format('%I', relname) AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname NOT LIKE '%migrations%' AND relname NOT IN ('audit_entries', 'log_clock')`,
  );
  return rows.map(({ name }) => name);
}

/** Reads every table of the product that has rows. */
export async function readRows(): Promise<TableRows> {
  const read = async (table: string) => {
    const { rows } = await pool().query<{ rows: string | null }>(`SELECT jsonb_agg(to_jsonb(t))::text AS rows FROM ${table} t`);
    return { table, rows: rows[0]?.rows ?? null };
  };
  const all = await Promise.all((await listTables()).map(read));
  return all.flatMap(({ table, rows }) => (rows === null ? [] : [{ table, rows }]));
}

/** The same without sessions and keys, which note once a minute that they are used. */
export const readWhatCallsChange = async (): Promise<TableRows> =>
  (await readRows()).filter(({ table }) => table !== "sessions" && table !== "api_keys");

/** Puts the rows back as they were, without what triggers would add: it is among them. */
export async function putRowsBack(all: TableRows): Promise<void> {
  await inTransaction(pool(), async (client) => {
    await client.query("SET LOCAL session_replication_role = replica");
    for (const { table, rows } of all)
      await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`, [rows]);
  });
}

/** Empties every table. A third of the time of TRUNCATE, which makes new files for each. */
export async function removeRows(): Promise<void> {
  const tables = await listTables();
  await pool().query(
    `BEGIN; SET LOCAL session_replication_role = replica; ${tables.map((table) => `DELETE FROM ${table};`).join(" ")} COMMIT`,
  );
}

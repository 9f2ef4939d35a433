import { pool } from "#lib/db/pool";

/** Every row of every table of the product as text, as a dump of the database would hold it. */
export async function dumpDatabase(): Promise<string> {
  const { rows: tables } = await pool().query<{ name: string }>(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema', 'snapshot')",
  );
  const all = tables.map(({ name }) => `SELECT t::text AS line FROM ${name} t`).join(" UNION ALL ");
  const { rows } = await pool().query<{ line: string }>(all);
  return rows.map(({ line }) => line).join("\n");
}

/** The ways in which a secret may stand in a text: as it is, in base64, in hexadecimal (as a dump shows bytes), percent-encoded, as JSON. */
export function guisesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    ...new Set([
      secret,
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
      bytes.toString("hex"),
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ]),
  ];
}

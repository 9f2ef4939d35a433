import { dispatchHere } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";

/** Keeps all that is stored now; the function that it returns brings it back, as often as one likes. */
export async function takeSnapshot(): Promise<() => Promise<void>> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE '%migrations%'`,
  );
  const names = rows.map(({ name }) => `"${name}"`);
  await pool().query(
    `DROP SCHEMA IF EXISTS snapshot CASCADE; CREATE SCHEMA snapshot; ${names.map((name) => `CREATE TABLE snapshot.${name} AS TABLE public.${name}`).join(";")}`,
  );
  // As a replica: triggers that guard the log and the audit log, and foreign keys, look away.
  const restore = [
    "SET session_replication_role = replica",
    ...names.map((name) => `DELETE FROM public.${name}`), // TRUNCATE makes new files for each
    ...names.map((name) => `INSERT INTO public.${name} SELECT * FROM snapshot.${name}`),
    "SET session_replication_role = DEFAULT",
  ].join("; ");
  return async () => {
    await pool().query(`BEGIN; ${restore}; COMMIT`);
    dispatchHere("sources", ""); // receivers forget the sources that they know
  };
}

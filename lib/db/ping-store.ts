import { pool } from "./pool.ts";

const PATIENCE_MS = 2000;

/** Whether the database answers within 2 seconds. */
export async function ping(): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS).unref());
  const answered = pool()
    .query("SELECT 1")
    .then(() => true)
    .catch(() => false);
  return Promise.race([answered, late]);
}

/** Bytes that the database takes on its disk. */
export async function findDatabaseSize(): Promise<number> {
  const { rows } = await pool().query<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes");
  return rows[0]?.bytes ?? 0;
}

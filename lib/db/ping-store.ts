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

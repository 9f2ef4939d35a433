import { pool } from "./pool.ts";

/** Yesterday's partition (clocks differ), this month's and at least two to come. A row without one goes to the default partition. */
export const ENSURE_PARTITIONS =
  "SELECT ensure_event_partitions(current_date - 1, 4) + ensure_search_partitions(current_date - 1, 4) AS made";

/**
 * Makes the monthly partitions of the log and of its search table ahead of time.
 *
 * @returns how many were made now
 */
export async function ensurePartitions(): Promise<number> {
  const { rows } = await pool("worker").query<{ made: number }>(ENSURE_PARTITIONS);
  return rows[0]?.made ?? 0;
}

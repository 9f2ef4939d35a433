import type pg from "pg";

/** Counts end here, and show as "1,000+": nobody waits for the rest. */
export const MAX_COUNTED = 1001;

/** SQL: the number of rows of a query, in a column `n`, or `most` when there are more. */
export const cappedCount = (rows: string, most = MAX_COUNTED): string => `SELECT count(*) AS n FROM (${rows} LIMIT ${most}) t`;

/** The number of rows of a query, or `most` when there are more. */
export async function countCapped(from: pg.Pool, rows: string, values: unknown[], most = MAX_COUNTED): Promise<number> {
  const counted = await from.query<{ n: number }>(cappedCount(rows, most), values);
  return counted.rows[0]?.n ?? 0;
}

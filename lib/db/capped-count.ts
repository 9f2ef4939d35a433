import type pg from "pg";

/** Counts end here and show as "1,000+", to save the wait for the rest. */
export const MAX_COUNTED = 1001;

/** Returns SQL that counts rows, up to `most`, in a column `n`. */
export const cappedCount = (rows: string, most = MAX_COUNTED): string => `SELECT count(*) AS n FROM (${rows} LIMIT ${most}) t`;

export async function countCapped(from: pg.Pool, rows: string, values: unknown[], most = MAX_COUNTED): Promise<number> {
  const counted = await from.query<{ n: number }>(cappedCount(rows, most), values);
  return counted.rows[0]?.n ?? 0;
}

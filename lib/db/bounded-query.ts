import type { QueryResultRow } from "pg";
import { codeOf } from "#lib/observability/logger";
import type { DatabaseClient } from "./client.ts";
import { pool } from "./pool.ts";

const CUT = "57014";

/** Runs one statement, cut by the database after `limitMs`. @returns null if it was cut */
export async function queryWithin<T extends QueryResultRow>(limitMs: number, text: string, values: unknown[]): Promise<T[] | null> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query(`SET statement_timeout = ${Math.round(limitMs)}`);
    return (await client.query<T>(text, values)).rows;
  } catch (error) {
    if (codeOf(error) === CUT) return null;
    throw error;
  } finally {
    await (client as unknown as DatabaseClient).applySettings().catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

/** Counts end here and show as "1,000+", to save the wait for the rest. */
export const MAX_COUNTED = 1001;

/** Returns SQL that counts rows, up to `most`, in a column `n`. */
export const cappedCount = (rows: string, most = MAX_COUNTED): string => `SELECT count(*) AS n FROM (${rows} LIMIT ${most}) t`;

export async function countCapped(rows: string, values: unknown[], most = MAX_COUNTED): Promise<number> {
  const counted = await pool().query<{ n: number }>(cappedCount(rows, most), values);
  return counted.rows[0]?.n ?? 0;
}

/** Bytes of bodies or records in one statement: as text, parsed and written back, they take 10 to 20 times as much memory. */
export const MAX_READ_BYTES = 16 * 1_048_576;

/** octet_length reads only the header of a stored value. */
const BODY_BYTES = "octet_length(r.body)";

/** Estimates without loading: jsonb doesn't tell its length before compression; eight times the compressed one is safe. */
const recordBytes = (column: string) =>
  `coalesce(pg_column_size(${column}) * CASE WHEN pg_column_compression(${column}) IS NULL THEN 1 ELSE 8 END, 0)`;

const measured = (rows: string, bytes: string, order: string) =>
  `(SELECT r.*, count(*) OVER () AS candidates, ${bytes} AS own_bytes, sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes_so_far FROM (${rows}) r) b`;

/** The first row is within, however large it is. */
const WITHIN = `bytes_so_far <= ${MAX_READ_BYTES} OR bytes_so_far = own_bytes`;

/** Returns the first rows whose bodies fit into 16 MB, at least one; others are never loaded. @param order must be definite */
export const bodiesWithinBytes = (rows: string, order: string): string =>
  `SELECT b.* FROM ${measured(rows, BODY_BYTES, order)} WHERE bytes_so_far IS NULL OR ${WITHIN} ORDER BY ${order}`;

export const mayHaveMore = (found: { candidates: number }[], limit: number): boolean =>
  (found[0]?.candidates ?? 0) > found.length || found.length === limit;

/** Returns all rows; only the first have `registers`, as many as fit into 16 MB, at least one. Others are never loaded. */
export const recordsWithinBytes = (rows: string, columns: string, order: string): string =>
  `SELECT ${columns}, CASE WHEN ${WITHIN} THEN registers END AS registers FROM ${measured(rows, recordBytes("r.registers"), order)}`;

/** Returns the first rows whose `live` and `rebuilt` registers fit into 16 MB, at least one. */
export const pairsWithinBytes = (rows: string, order: string): string =>
  `SELECT b.* FROM ${measured(rows, `(${recordBytes("r.live")} + ${recordBytes("r.rebuilt")})`, order)} WHERE ${WITHIN} ORDER BY ${order}`;

type Plan = { Alias?: string; "Plan Rows": number; Plans?: Plan[] };

/** Returns how many rows the planner expects of each statement; an alias finds each in the plan. */
export async function plannedRows(statements: string[], values: unknown[]): Promise<number[]> {
  const named = statements.map((text, index) => `SELECT ${index} AS part FROM (${text} OFFSET 0) part_${index}`);
  const { rows } = await pool().query<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${named.join(" UNION ALL ")}`, values);
  const found = new Map<string, number>();
  const walk = (plan: Plan) => {
    if (plan.Alias?.startsWith("part_")) found.set(plan.Alias, plan["Plan Rows"]);
    else for (const each of plan.Plans ?? []) walk(each);
  };
  for (const { Plan } of rows[0]?.["QUERY PLAN"] ?? []) walk(Plan);
  return statements.map((_, index) => found.get(`part_${index}`) ?? 0);
}

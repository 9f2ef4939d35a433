/**
 * Most bytes of bodies or of records that one statement may load. Read as
 * text, parsed and written back, they take ten to twenty times as much memory.
 */
export const MAX_READ_BYTES = 16 * 1_048_576;

/** Bytes of a body, known without loading it: octet_length reads only the header of a stored value. */
const BODY_BYTES = "octet_length(r.body)";

/**
 * Bytes of a record's registers, known without loading them; 0 for none. jsonb does not
 * tell its length before compression; eight times the compressed one is on the safe side.
 */
const recordBytes = (column: string) =>
  `coalesce(pg_column_size(${column}) * CASE WHEN pg_column_compression(${column}) IS NULL THEN 1 ELSE 8 END, 0)`;

/** `rows` as `b`, each with how many there are, its own bytes and the sum of the bytes up to it. */
const measured = (rows: string, bytes: string, order: string) =>
  `(SELECT r.*, count(*) OVER () AS candidates, ${bytes} AS own_bytes, sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes_so_far FROM (${rows}) r) b`;

/** The first row is within, however large it is. */
const WITHIN = `bytes_so_far <= ${MAX_READ_BYTES} OR bytes_so_far = own_bytes`;

/**
 * The first rows of a query whose bodies fit into 16 MB together, at least one:
 * the bodies of the others are never loaded. Rows without a body are kept.
 *
 * @param rows a query with a column `body`
 * @param order columns that give its rows a definite order, which the result has
 */
export const bodiesWithinBytes = (rows: string, order: string): string =>
  `SELECT b.* FROM ${measured(rows, BODY_BYTES, order)} WHERE bytes_so_far IS NULL OR ${WITHIN} ORDER BY ${order}`;

/** True if more may wait behind what a query within bytes and `limit` rows has found. */
export const mayHaveMore = (found: { candidates: number }[], limit: number): boolean =>
  (found[0]?.candidates ?? 0) > found.length || found.length === limit;

/**
 * All rows of a query, of which the first have their `registers`, as many as fit
 * into 16 MB together and at least one; the others have null there, and are never loaded.
 *
 * @param rows a query with the columns `registers` (jsonb, not null) and those that are selected
 */
export const recordsWithinBytes = (rows: string, columns: string, order: string): string =>
  `SELECT ${columns}, CASE WHEN ${WITHIN} THEN registers END AS registers FROM ${measured(rows, recordBytes("r.registers"), order)}`;

/**
 * The first rows of a query whose pairs of registers fit into 16 MB together, at least one.
 *
 * @param rows a query with the columns `live` and `rebuilt` (jsonb)
 * @param order as above
 */
export const pairsWithinBytes = (rows: string, order: string): string =>
  `SELECT b.* FROM ${measured(rows, `(${recordBytes("r.live")} + ${recordBytes("r.rebuilt")})`, order)} WHERE ${WITHIN} ORDER BY ${order}`;

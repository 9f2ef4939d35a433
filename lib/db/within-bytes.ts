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

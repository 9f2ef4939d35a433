import type pg from "pg";

/** A pool, or the connection of a transaction. */
type From = Pick<pg.Pool, "query">;
/** A prepared statement has its values beside its name. */
type Statement = string | pg.QueryConfig;

export const queryRows = async <T extends pg.QueryResultRow>(from: From, text: Statement, values?: unknown[]): Promise<T[]> =>
  (await from.query<T>(text, values)).rows;

/** Returns the only row, or the first; null without one. */
export const queryRow = async <T extends pg.QueryResultRow>(from: From, text: Statement, values?: unknown[]): Promise<T | null> =>
  (await queryRows<T>(from, text, values))[0] ?? null;

/** Returns the values of rows with one column. */
export const queryValues = async <T extends pg.QueryResultRow>(from: From, text: Statement, values?: unknown[]): Promise<T[keyof T][]> =>
  (await queryRows<T>(from, text, values)).flatMap((row) => Object.values(row));

/** Returns the value of the only row, of one column; null without a row. */
export const queryValue = async <T extends pg.QueryResultRow>(
  from: From,
  text: Statement,
  values?: unknown[],
): Promise<T[keyof T] | null> => (await queryValues<T>(from, text, values))[0] ?? null;

/** Returns what a statement counts, in its only column; 0 without a row. */
export const queryCount = async <T extends Record<string, number>>(from: From, text: Statement, values?: unknown[]): Promise<number> =>
  (await queryValue<T>(from, text, values)) ?? 0;

/** Returns how many rows a statement has written. */
export const countChanged = async (from: From, text: Statement, values?: unknown[]): Promise<number> =>
  (await from.query(text, values)).rowCount ?? 0;

/** True if a statement has written its one row, or found it. */
export const changesOne = async (from: From, text: Statement, values?: unknown[]): Promise<boolean> =>
  (await countChanged(from, text, values)) === 1;

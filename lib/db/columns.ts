import type * as z from "zod/mini";

/** A column as the driver returns it. `sql`: where it stands, if not in the column of its own name. */
type Column<T> = { sql: string | undefined; value?: T };
type Columns = Record<string, Column<unknown>>;

export const column = <T>(sql?: string): Column<T> => ({ sql });

/** Rows of a query that selects `columnsSql` of the declaration: `RowOf<typeof COLUMNS>`. */
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

/**
 * Returns what a query selects to get declared rows: `workspaceId` from the column `workspace_id`, under its own name.
 *
 * @param table name by which the query knows the table of columns without an expression of their own
 */
export const columnsSql = (columns: Columns, table?: string): string =>
  Object.entries(columns)
    .map(([name, { sql = (table ? `${table}.` : "") + snakeCase(name) }]) =>
      sql.replace(/^\w+\./, "") === name ? sql : `${sql} AS "${name}"`,
    )
    .join(", ");

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Stored<T> = { [Name in keyof T]: T[Name] | (string extends T[Name] ? Date : never) };

/**
 * Returns an answer's fields from what is stored, moments as ISO 8601 texts. The schema is the list: what else a row holds stays here.
 */
export const answered = <S extends z.ZodMiniObject>(schema: S, row: Stored<z.output<S>>): z.output<S> =>
  Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const value = row[name as keyof typeof row] as unknown;
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as z.output<S>;

/** Returns the parameters of an `unnest`: for each field an array of its values. Moments as texts, which the driver writes faster. */
export const arraysOf = <T extends object>(rows: T[], ...fields: (keyof T)[]): unknown[][] =>
  fields.map((field) =>
    rows.map((row) => {
      const value: unknown = row[field];
      return value instanceof Date ? value.toISOString() : value;
    }),
  );

/** Returns bytes of all rows as one binary parameter, where each begins and their lengths: as an array they are sent as text, twice the size. */
export function packed(bodies: Uint8Array[]): [bytes: Uint8Array, starts: number[], lengths: number[]] {
  const lengths = bodies.map(({ length }) => length);
  let at = 0;
  const starts = lengths.map((length) => {
    at += length;
    return at - length;
  });
  return [bodies.length === 1 && bodies[0] ? bodies[0] : Buffer.concat(bodies), starts, lengths];
}

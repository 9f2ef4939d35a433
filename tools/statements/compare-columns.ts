import type { Column } from "./describe.ts";
import type { RowType } from "./find-statements.ts";

/** Type that the database's driver returns for types of PostgreSQL (lib/db/pool.ts reads bigint as a number). */
const DRIVER: [kind: string, types: string[]][] = [
  ["string", ["text", "character", "character varying", "name", "numeric", "uuid", "inet", "xid", "xid8", "regclass", "enum"]],
  ["number", ["smallint", "integer", "bigint", "oid", "real", "double precision"]],
  ["boolean", ["boolean"]],
  ["Buffer", ["bytea"]],
  ["Date", ["timestamp with time zone", "timestamp without time zone", "date"]],
  ["any", ["json", "jsonb"]],
];
const KINDS = new Map(DRIVER.flatMap(([kind, types]) => types.map((type) => [type, kind] as const)));

/** Returns what is wrong with a row type, in words: a field without a column, a type that the driver does not give, a null that is left out or invented. */
export function compareColumns(row: RowType, columns: Column[], text: string): string[] {
  const missing = [...row.keys()].filter((name) => !columns.some((column) => column.name === name));
  const wrong = columns.flatMap((column) => {
    const declared = row.get(column.name);
    return declared ? compareColumn(column, declared, text) : [];
  });
  return [...missing.map((name) => `has no column ${name}`), ...wrong];
}

function compareColumn({ name, type, nullable, source }: Column, declared: Set<string>, text: string): string[] {
  const values = [...declared].filter((kind) => kind !== "null");
  const given = kindOf(type);
  if (given === undefined) return [`${name} is of type ${type}, which tools/statements/compare-columns.ts does not know`];
  const isWrong = given !== "any" && values.some((kind) => kind !== given && !kind.startsWith("any"));
  if (isWrong) return [`${name} is ${type}, which is read as ${given}; its row says ${values.join(" or ")}`];
  if (declared.has("any")) return [];
  // Lists that Prisma makes have no NOT NULL, and are never null.
  if (nullable && !declared.has("null") && !type.endsWith("[]") && !isFiltered(source, text))
    return [`${name} may be null; its row says that it is not`];
  if (nullable === false && declared.has("null") && !/\b(LEFT|RIGHT|FULL) JOIN\b/.test(text))
    return [`${name} is never null; its row says that it may be`];
  return [];
}

const kindOf = (type: string): string | undefined => (type.endsWith("[]") ? `${KINDS.get(type.slice(0, -2))}[]` : KINDS.get(type));

/** True if the statement takes only rows in which the column is not null. */
const isFiltered = (column: string | null, text: string): boolean => new RegExp(`\\b${column} (IS NOT NULL|=|<|>|IN|LIKE)`).test(text);

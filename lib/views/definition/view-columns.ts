import type { ViewKind } from "#lib/contracts/views";
import { joined, splitSql } from "#lib/db/joined-texts";
import { type Summary, summarize } from "#lib/views/fold/fold";
import type { Registers } from "#lib/views/fold/register";

/** A record with its registers, of one workspace. */
export type KeptView = { kind: ViewKind; id: string; registers: Registers };

type Column = { name: string; type: string; of: (summary: Summary, id: string) => unknown };

/**
 * Columns that lists and filters need, derived from the
 * registers alone. Saving, rebuilding and comparing all use this table: a new
 * column is added here and in the schema, nowhere else.
 */
const DERIVED: Column[] = [
  { name: "state", type: "text", of: ({ state }) => state },
  { name: "failed", type: "boolean", of: ({ failed }) => failed },
  { name: "parent", type: "text", of: ({ parent }) => parent },
  { name: "stage", type: "text", of: ({ stage }) => stage },
  { name: "words", type: "text", of: ({ label }, id) => searchWords(id, label) },
  { name: "last_created", type: "bigint", of: ({ lastCreated }) => lastCreated },
];

/** A search looks at so many characters of the id and the name: they are carried in an index. */
const MAX_WORDS = 300;

/** Returns what a list's search looks at. Letters of any case are the same. */
export const searchWords = (id: string, label: string | null): string =>
  `${id} ${label ?? ""}`.trim().toLowerCase().slice(0, MAX_WORDS).toWellFormed();

/** The columns that a fold makes, in the order of their values. */
export const FOLDED_COLUMNS: string[] = ["registers", ...DERIVED.map(({ name }) => name)];

/** The folded columns as parameters from number `first` on, to be unnested as `u`. */
export const foldedParameters = (first: number): string =>
  [splitSql(`$${first}`), ...DERIVED.map(({ type }, at) => `$${first + 1 + at}::${type}[]`)].join(", ");

/** A folded column's value in a row of `u`. Registers become jsonb one by one: as an array they would be copied once more. */
export const foldedSql = (name: string): string => (name === "registers" ? "u.registers::jsonb" : `u.${name}`);

/** The values of the folded columns, a parameter a column. */
export function foldedValues(views: KeptView[]): unknown[] {
  const summaries = views.map(({ kind, registers }) => summarize(kind, registers));
  const derived = DERIVED.map(({ of }) => summaries.map((summary, index) => of(summary, views[index]?.id ?? "")));
  return [joined(views.map(({ registers }) => JSON.stringify(registers))), ...derived];
}

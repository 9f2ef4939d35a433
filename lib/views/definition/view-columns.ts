import type { ViewKind } from "#lib/contracts/views";
import { type Summary, summarize } from "#lib/views/fold/fold";
import type { Registers } from "#lib/views/fold/register";

/** A record with its registers, of one workspace. */
export type KeptView = { kind: ViewKind; id: string; registers: Registers };

type Column = { name: string; type: string; of: (summary: Summary, id: string) => unknown };

/**
 * What lists and filters need in columns of their own, derived from the
 * registers alone. Saving, rebuilding and comparing all go by this table: a new
 * column stands here and in the schema, nowhere else.
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

/** What a list's search looks at. Letters of any case are the same. */
export const searchWords = (id: string, label: string | null): string =>
  `${id} ${label ?? ""}`.trim().toLowerCase().slice(0, MAX_WORDS).toWellFormed();

const COLUMNS = [{ name: "registers", type: "jsonb" }, ...DERIVED];

/** The columns that a fold makes, in the order of their values. */
export const FOLDED_COLUMNS: string[] = COLUMNS.map(({ name }) => name);

/** `$4::jsonb[], $5::text[]`: the folded columns as parameters from number `first` on, to be unnested. */
export const foldedParameters = (first: number): string => COLUMNS.map(({ type }, at) => `$${first + at}::${type}[]`).join(", ");

/** The values of the folded columns, a list a column. */
export function foldedValues(views: KeptView[]): unknown[][] {
  const summaries = views.map(({ kind, registers }) => summarize(kind, registers));
  const derived = DERIVED.map(({ of }) => summaries.map((summary, index) => of(summary, views[index]?.id ?? "")));
  return [views.map(({ registers }) => JSON.stringify(registers)), ...derived];
}

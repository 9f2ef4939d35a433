import type { ViewKind } from "#lib/contracts/views";
import { joined, splitSql } from "#lib/db/joined-texts";
import { type Summary, summarize } from "#lib/views/fold/fold";
import type { Registers } from "#lib/views/fold/register";

export type KeptView = { kind: ViewKind; id: string; registers: Registers };

type Column = { name: string; type: string; of: (summary: Summary, id: string) => unknown };

/** Columns derived from the registers. Saving, rebuilding and comparing use this table: add a column here and in the schema only. */
const DERIVED: Column[] = [
  { name: "state", type: "text", of: ({ state }) => state },
  { name: "failed", type: "boolean", of: ({ failed }) => failed },
  { name: "parent", type: "text", of: ({ parent }) => parent },
  { name: "stage", type: "text", of: ({ stage }) => stage },
  { name: "words", type: "text", of: ({ label }, id) => searchWords(id, label) },
  { name: "last_created", type: "bigint", of: ({ lastCreated }) => lastCreated },
];

/** Characters of ID and name that are searched: they are carried in an index. */
const MAX_WORDS = 300;

export const searchWords = (id: string, label: string | null): string =>
  `${id} ${label ?? ""}`.trim().toLowerCase().slice(0, MAX_WORDS).toWellFormed();

export const FOLDED_COLUMNS: string[] = ["registers", ...DERIVED.map(({ name }) => name)];

/** Returns parameters from number `first` on, to be unnested as `u`. */
export const foldedParameters = (first: number): string =>
  [splitSql(`$${first}`), ...DERIVED.map(({ type }, at) => `$${first + 1 + at}::${type}[]`)].join(", ");

/** Registers become jsonb one by one: as an array they would be copied once more. */
export const foldedSql = (name: string): string => (name === "registers" ? "u.registers::jsonb" : `u.${name}`);

export function foldedValues(views: KeptView[]): unknown[] {
  const summaries = views.map(({ kind, registers }) => summarize(kind, registers));
  const derived = DERIVED.map(({ of }) => summaries.map((summary, index) => of(summary, views[index]?.id ?? "")));
  return [joined(views.map(({ registers }) => JSON.stringify(registers))), ...derived];
}

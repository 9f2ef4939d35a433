import { isObject } from "#lib/contracts/exact-json";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { joined, splitSql } from "#lib/db/sql";
import { NO_MAPPING } from "#lib/platform/field-names";
import { DEFINITIONS, type ViewDefinition } from "./definitions.ts";
import { mergeRecords, recordOf, type Summary, summarize } from "./fold/fold.ts";
import { namedPaths, payloadWrites } from "./fold/payload-writes.ts";
import { compareOrder, FREE_BYTES, NAMED_BYTES, type Register, type Registers, within } from "./fold/register.ts";
import { FREE_PREFIX } from "./fold/settled-fields.ts";

export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

const regexText = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&");

/** Returns small letters, accents composed with them: names of files from a Mac have both apart. */
export const asSearched = (text: string): string => text.normalize("NFC").toLowerCase();

/** Splits a search into at most eight words. */
export const wordsOf = (q: string): string[] => asSearched(q).split(/\s+/).filter(Boolean).slice(0, 8);

/** Shorter words have too many neighbours, and longer ones cost too much. */
const SLIP_LENGTHS = { min: 4, max: 24 };

/** Returns patterns for one typing error (missing, extra, wrong or swapped letter). `like` is a quick sieve, `regex` bounds its gaps. */
export function slipPatterns(word: string): { like: string[]; regex: string } | null {
  const letters = [...word];
  if (letters.length < SLIP_LENGTHS.min || letters.length > SLIP_LENGTHS.max) return null;
  const halves = letters.slice(1).map((_, at) => [letters.slice(0, at).join(""), letters.slice(at + 2).join("")] as const);
  return {
    like: halves.map(([before, after]) => `%${likeText(before)}%${likeText(after)}%`),
    regex: halves.map(([before, after]) => `${regexText(before)}.{0,3}${regexText(after)}`).join("|"),
  };
}

/** Brings registers of earlier releases into today's form: bounded fields and values, each payload field in one place. */
export function repaired(kind: ViewKind, stored: Registers): Registers {
  const settled = mergeRecords(kind, inPlace(kind, stored), {});
  for (const [field, register] of Object.entries(settled)) {
    const v = within(field.startsWith(FREE_PREFIX) ? FREE_BYTES : NAMED_BYTES, register.v);
    if (v !== register.v) settled[field] = { ...register, v };
  }
  return settled;
}

export const storedRecordOf = (kind: ViewKind, id: string, stored: Registers): ViewRecord => recordOf(kind, id, repaired(kind, stored));

/** Moves free fields that belong to a known field (`data.status`) there, with their own order. */
function inPlace(kind: ViewKind, stored: Registers): Registers {
  const definition = DEFINITIONS[kind];
  const misplaced = Object.entries(stored).filter(([field, { v }]) => isMisplaced(definition, field, v));
  if (misplaced.length === 0) return stored;
  let placed = { ...stored };
  for (const [field] of misplaced) delete placed[field];
  for (const [writer, data] of payloadsOf(misplaced)) {
    const writes = payloadWrites(definition, () => false, data, null, NO_MAPPING);
    // A value that the same event wrote there by a better spelling stays.
    const fresh = writes.filter(({ field }) => !placed[field] || compareOrder(placed[field], writer) !== 0);
    const registers = Object.fromEntries(fresh.map(({ field, value }) => [field, { ...writer, v: value }]));
    placed = mergeRecords(kind, placed, registers);
  }
  return placed;
}

function isMisplaced(definition: ViewDefinition, field: string, value: unknown): boolean {
  if (!field.startsWith(FREE_PREFIX)) return false;
  const { paths, containers } = namedPaths(definition, NO_MAPPING);
  const path = field.slice(FREE_PREFIX.length);
  return paths.has(path) || (containers.has(path) && isObject(value));
}

function payloadsOf(fields: [field: string, Register][]): Map<Register, Record<string, unknown>> {
  const payloads = new Map<Register, Record<string, unknown>>();
  for (const [field, register] of fields) {
    const writer = [...payloads.keys()].find((each) => compareOrder(each, register) === 0) ?? register;
    const payload = payloads.get(writer) ?? {};
    put(payload, field.slice(FREE_PREFIX.length).split("."), register.v);
    payloads.set(writer, payload);
  }
  return payloads;
}

function put(object: Record<string, unknown>, [key = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) object[key] ??= value;
  else {
    const inner = object[key] ?? {};
    object[key] = inner;
    if (isObject(inner)) put(inner, rest, value);
  }
}

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
  asSearched(`${id} ${label ?? ""}`.trim())
    .slice(0, MAX_WORDS)
    .toWellFormed();

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

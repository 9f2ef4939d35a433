import { JSON_TYPES, type JsonType } from "#lib/contracts/event-types";
import { outermost, readJsonSchema } from "#lib/contracts/schemas/document";
import { type FieldSchema, typesOf } from "#lib/contracts/schemas/field-schema";
import { type PinnedField, tellableValues } from "./live-field.ts";
import { seenOf } from "./merge.ts";
import { ABSENT, bitsOf, formatBit, outcomesIn, typeBit } from "./outcomes.ts";
import { ANY_KEY, ELEMENT, elementPath, entryPath, keyPath, splitPath } from "./paths.ts";
import { type FieldPath, MAX_DEPTH, MAX_FIELDS, ROOT, type SchemaTree } from "./schema.ts";

/** What a version allows, once a schema is pinned to it: its outcomes, and no absence where it was always there. */
export function pinOf(tree: SchemaTree): Record<FieldPath, PinnedField> {
  return Object.fromEntries(
    Object.entries(tree.fields).map(([path, stats]) => {
      const values = tellableValues(stats)?.map(({ text }) => text);
      const key = splitPath(path)?.key;
      const isKey = key !== undefined && key !== ELEMENT && key !== ANY_KEY;
      const mayLack = !isKey || stats.n < seenOf(tree, path);
      return [path, { usual: bitsOf(stats) | (mayLack ? ABSENT : 0), ...(values && { values }) }];
    }),
  );
}

/** Reads what a JSON Schema of `data` allows, as far as a look at types, presence and values can tell; in words, why it says nothing of them. */
export function pinFromFile(document: Record<string, unknown>): Record<FieldPath, PinnedField> | string {
  const reading = readJsonSchema(document);
  if (reading.outcome === "unreadable") return reading.detail;
  const pin = new Map<FieldPath, PinnedField>();
  addFields(pin, outermost(reading.schema, MAX_FIELDS).schema, { path: ROOT, depth: 0, mayLack: true });
  return Object.fromEntries(pin);
}

/** Formats are not asked for: senders' documents name them loosely. */
const ANY_FORMAT = (["uuid", "date-time", "date", "email", "url", "digits", "text", "empty", "int", "decimal"] as const).reduce(
  (bits, format) => bits | formatBit(format),
  0,
);
const ANY_TYPE = JSON_TYPES.reduce((bits, type) => bits | typeBit(type), 0);

type Place = { path: FieldPath; depth: number; mayLack: boolean };

function addFields(pin: Map<FieldPath, PinnedField>, schema: FieldSchema, { path, depth, mayLack }: Place): void {
  if (depth > MAX_DEPTH) return;
  const values = schema.enum?.filter((value) => typeof value === "string").sort();
  pin.set(path, { usual: typeBits(schema) | ANY_FORMAT | (mayLack ? ABSENT : 0), ...(values && { values }) });
  const below = (inner: FieldSchema, at: FieldPath, lack: boolean) => addFields(pin, inner, { path: at, depth: depth + 1, mayLack: lack });
  const { properties = {}, required = [], items, additionalProperties } = schema;
  for (const [key, inner] of Object.entries(properties)) below(inner, keyPath(path, key), !required.includes(key));
  if (items) below(items, elementPath(path), true);
  if (additionalProperties) below(additionalProperties, entryPath(path), true);
}

const typeBits = (schema: FieldSchema): number =>
  typesOf(schema).reduce((bits, type) => bits | typeBit(type === "integer" ? "number" : (type satisfies JsonType)), 0) || ANY_TYPE;

/** Says what a pin allows: `string or null`, `always there`. */
export const allowedWords = (usual: number): string => {
  const types = outcomesIn(usual).filter((outcome) => ["null", "boolean", "number", "string", "object", "array"].includes(outcome));
  return `${types.join(" or ")}${(usual & ABSENT) === 0 ? ", always there" : ""}`;
};

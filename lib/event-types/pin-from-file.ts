import { JSON_TYPES, type JsonType } from "#lib/contracts/event-types";
import { isObject } from "#lib/contracts/exact-json";
import type { PinnedField } from "./live-field.ts";
import { ABSENT, formatBit, typeBit } from "./outcomes.ts";
import { elementPath, entryPath, keyPath } from "./paths.ts";
import { type FieldPath, MAX_DEPTH, MAX_FIELDS, ROOT } from "./schema.ts";

/** Reads what a JSON Schema of `data` allows, as far as a look at types, presence and values can tell: `type`, `properties`, `required`, `items`,
 * `additionalProperties`, `enum`, `const`, `nullable`, `$ref` within the document, and `anyOf`, `oneOf`, `allOf` of those. */
export function pinFromFile(schema: Record<string, unknown>): Record<FieldPath, PinnedField> {
  const pin = new Map<FieldPath, PinnedField>();
  read({ document: schema, pin, schema, path: ROOT, depth: 0, mayLack: true });
  return Object.fromEntries(pin);
}

type Reading = {
  document: Record<string, unknown>;
  pin: Map<FieldPath, PinnedField>;
  schema: unknown;
  path: FieldPath;
  depth: number;
  mayLack: boolean;
};

/** Formats are not asked for: senders' documents name them loosely. */
const ANY_FORMAT = (["uuid", "date-time", "date", "email", "url", "digits", "text", "empty", "int", "decimal"] as const).reduce(
  (bits, format) => bits | formatBit(format),
  0,
);
const ANY_TYPE = JSON_TYPES.reduce((bits, type) => bits | typeBit(type), 0);

function read({ document, pin, schema, path, depth, mayLack }: Reading): void {
  if (depth > MAX_DEPTH || pin.size >= MAX_FIELDS) return;
  const parts = partsOf(document, schema);
  if (parts.length === 0) return;
  const types = parts.reduce((bits, part) => bits | typesOf(part), 0);
  const values = valuesOf(parts);
  pin.set(path, { usual: types | ANY_FORMAT | (mayLack ? ABSENT : 0), ...(values && { values }) });
  const below = (inner: unknown, at: FieldPath, lack: boolean) =>
    read({ document, pin, schema: inner, path: at, depth: depth + 1, mayLack: lack });
  for (const part of parts) {
    const required = Array.isArray(part.required) ? part.required : [];
    // Of several shapes, each may lack what another has.
    if (isObject(part.properties))
      for (const [key, inner] of Object.entries(part.properties))
        below(inner, keyPath(path, key), parts.length > 1 || !required.includes(key));
    if (part.items !== undefined) below(part.items, elementPath(path), true);
    if (isObject(part.additionalProperties)) below(part.additionalProperties, entryPath(path), true);
  }
}

const MAX_PARTS = 20;

/** Follows references, and lists alternatives. */
function partsOf(document: Record<string, unknown>, schema: unknown, followed = 0): Record<string, unknown>[] {
  if (!isObject(schema) || followed > MAX_DEPTH) return [];
  if (typeof schema.$ref === "string") return partsOf(document, at(document, schema.$ref), followed + 1);
  for (const alternatives of [schema.anyOf, schema.oneOf])
    if (Array.isArray(alternatives)) return alternatives.slice(0, MAX_PARTS).flatMap((each) => partsOf(document, each, followed + 1));
  if (!Array.isArray(schema.allOf)) return [schema];
  const all = schema.allOf.slice(0, MAX_PARTS).flatMap((each) => partsOf(document, each, followed + 1));
  return [all.reduce<Record<string, unknown>>((sum, part) => joined(sum, part), schema)];
}

const joined = (a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> => ({
  ...a,
  ...b,
  properties: { ...(isObject(a.properties) ? a.properties : {}), ...(isObject(b.properties) ? b.properties : {}) },
  required: [...(Array.isArray(a.required) ? a.required : []), ...(Array.isArray(b.required) ? b.required : [])],
});

function at(document: Record<string, unknown>, ref: string): unknown {
  if (!ref.startsWith("#")) return undefined;
  let value: unknown = document;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = unescaped(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** A JSON pointer in a URI's fragment; one that is not escaped rightly is taken as it stands. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function typesOf({ type, nullable, enum: values, const: one }: Record<string, unknown>): number {
  const names = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const nullBit = nullable === true ? typeBit("null") : 0;
  if (names.length > 0) return names.reduce<number>((bits, name) => bits | bitOfName(name), nullBit);
  const listed = Array.isArray(values) ? values : one === undefined ? [] : [one];
  return listed.length === 0 ? ANY_TYPE : listed.reduce<number>((bits, value) => bits | typeBit(typeOfValue(value)), nullBit);
}

const bitOfName = (name: unknown): number =>
  name === "integer" ? typeBit("number") : (JSON_TYPES as readonly unknown[]).includes(name) ? typeBit(name as JsonType) : 0;

const typeOfValue = (value: unknown): JsonType =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : isObject(value)
        ? "object"
        : typeof value === "string" || typeof value === "boolean"
          ? (typeof value as JsonType)
          : "number";

/** The texts that an enumeration lists; undefined where any text may stand. */
function valuesOf(parts: Record<string, unknown>[]): string[] | undefined {
  const lists = parts.map(({ enum: values, const: one }) => (Array.isArray(values) ? values : one === undefined ? null : [one]));
  if (lists.some((list) => list === null)) return undefined;
  return [...new Set(lists.flat().filter((value): value is string => typeof value === "string"))].sort();
}

import type { EventPlace, SchemaField } from "#lib/contracts/event-types";
import { isObject } from "#lib/contracts/exact-json";
import { formatNumber } from "#lib/contracts/format-count";
import { typeOfValue } from "./document.ts";
import { type FieldSchema, type SchemaType, typesOf } from "./field-schema.ts";
import { FieldTree, isWhole, keyPath, occurrencesOf } from "./learnt-fields.ts";

/** Where what was seen is not what a schema says. `undocumented`: a field that the schema does not name. */
export type SchemaDifference = {
  kind: "absent" | "type" | "value" | "undocumented";
  path: string;
  expected: string;
  observed: string;
  /** Events (or elements) that have it. */
  count: number;
  firstEvent: EventPlace | null;
};

/**
 * Compares what a schema says with what was seen, in the direction of a reader: what the schema requires must be there, as one of its types
 * and values. Fields that it does not name are told as `undocumented`.
 */
export function differencesOf(expected: FieldSchema, fields: SchemaField[]): SchemaDifference[] {
  const tree = new FieldTree(fields);
  return tree.root ? [...new Comparison(tree).ofField(expected, tree.root)] : [];
}

export const isUndocumented = ({ kind }: SchemaDifference): boolean => kind === "undocumented";

class Comparison {
  private readonly tree: FieldTree;

  constructor(tree: FieldTree) {
    this.tree = tree;
  }

  *ofField(expected: FieldSchema, field: SchemaField): Generator<SchemaDifference> {
    yield* typeDifferences(expected, field);
    yield* valueDifferences(expected, field);
    if (occurrencesOf(field, "object")) yield* this.ofKeys(expected, field);
    const element = this.tree.elementOf(field);
    if (expected.items && element) yield* this.ofField(expected.items, element);
  }

  private *ofKeys({ properties, required = [], additionalProperties }: FieldSchema, field: SchemaField): Generator<SchemaDifference> {
    const seen = new Map(this.tree.keysOf(field));
    const entry = this.tree.entryOf(field);
    const [sibling] = seen.values();
    const absent = (key: string) => absence(key, field, { child: seen.get(key), sibling, amongEntries: entry !== undefined });
    for (const [key, schema] of Object.entries(properties ?? {})) {
      if (required.includes(key)) yield* absent(key);
      const child = seen.get(key);
      if (child) yield* this.ofField(schema, child);
    }
    for (const key of required) if (!properties || !Object.hasOwn(properties, key)) yield* absent(key);
    for (const [key, child] of [...seen, ...(entry ? [["*", entry] as const] : [])]) {
      if (properties && Object.hasOwn(properties, key) && child !== entry) continue;
      if (additionalProperties) yield* this.ofField(additionalProperties, child);
      else if (properties) yield undocumented(child);
    }
  }
}

/** `sibling`: another field of the parent, which was looked at as often. */
type Absence = { child: SchemaField | undefined; sibling: SchemaField | undefined; amongEntries: boolean };

/** Among keys that are data, nobody counted the one that is asked for. */
function* absence(key: string, parent: SchemaField, { child, sibling, amongEntries }: Absence): Generator<SchemaDifference> {
  if (child ? child.present === child.seen : amongEntries) return;
  const [seen, present] = child ? [child.seen, child.present] : [sibling?.seen ?? occurrencesOf(parent, "object")?.count ?? 0, 0];
  const path = child?.path ?? keyPath(parent.path, key);
  const observed =
    present === 0 ? `absent in all of ${formatNumber(seen)}` : `absent in ${formatNumber(seen - present)} of ${formatNumber(seen)}`;
  if (seen > 0) yield { kind: "absent", path, expected: "required", observed, count: seen - present, firstEvent: null };
}

function* typeDifferences(expected: FieldSchema, field: SchemaField): Generator<SchemaDifference> {
  const allowed = typesOf(expected);
  if (allowed.length === 0) return;
  for (const { type, count, first } of field.types) {
    const told = { kind: "type" as const, path: field.path, expected: typeWords(allowed) };
    if (type === "number" && !allowed.includes("number")) {
      const decimals = field.formats.find(({ format }) => format === "decimal");
      const wrong = allowed.includes("integer") ? decimals : { count, first };
      if (wrong && !(allowed.includes("integer") && isWhole(field)))
        yield { ...told, observed: "number", count: wrong.count, firstEvent: wrong.first };
    } else if (!allowed.includes(type)) yield { ...told, observed: type, count, firstEvent: first };
  }
}

/** A field whose values are not kept can't be judged. */
function* valueDifferences({ enum: allowed }: FieldSchema, { path, values }: SchemaField): Generator<SchemaDifference> {
  if (!allowed) return;
  const texts = new Set(allowed.map(String));
  for (const { value, count, first } of values ?? [])
    if (!texts.has(value))
      yield { kind: "value", path, expected: valueWords(allowed), observed: JSON.stringify(value), count, firstEvent: first };
}

const undocumented = ({ path, types, present, first }: SchemaField): SchemaDifference => ({
  kind: "undocumented",
  path,
  expected: "no such field",
  observed: typeWords(types.map(({ type }) => type)),
  count: present,
  firstEvent: first,
});

export const typeWords = (types: readonly SchemaType[]): string => listWords([...types]) || "anything";

const MAX_VALUES = 6;

export function valueWords(values: unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return values.length > MAX_VALUES ? `${shown.join(", ")} or ${values.length - MAX_VALUES} others` : listWords(shown);
}

const listWords = (words: string[]): string => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);

/** What a schema says of a field, by the field's path. */
export type DocumentedField = { schema: FieldSchema; required: boolean };

/** Returns what a schema says of each field that was seen, and the paths of those that it names and nobody saw. */
export function documentedFields(
  documented: FieldSchema,
  fields: SchemaField[],
): { seen: Map<string, DocumentedField>; unseen: Map<string, DocumentedField> } {
  const tree = new FieldTree(fields);
  const seen = new Map<string, DocumentedField>();
  const unseen = new Map<string, DocumentedField>();
  const visit = (schema: FieldSchema, field: SchemaField) => {
    const keys = new Map(tree.keysOf(field));
    for (const [key, part] of Object.entries(schema.properties ?? {})) {
      const child = keys.get(key);
      const said = { schema: part, required: schema.required?.includes(key) ?? false };
      if (child) {
        seen.set(child.path, said);
        visit(part, child);
      } else unseen.set(keyPath(field.path, key), said);
    }
    const inside = [
      [schema.items, tree.elementOf(field)],
      [schema.additionalProperties, tree.entryOf(field)],
    ] as const;
    for (const [part, child] of inside) {
      if (!part || !child) continue;
      seen.set(child.path, { schema: part, required: false });
      visit(part, child);
    }
  };
  if (tree.root) visit(documented, tree.root);
  return { seen, unseen };
}

/** `string or null, required`, `one of "a", "b"`. */
export const documentedWords = ({ schema, required }: DocumentedField): string =>
  [schema.enum ? valueWords(schema.enum) : typeWords(typesOf(schema)), ...(required ? ["required"] : [])].join(", ");

/** Where an event is not what a schema says. */
export type SchemaViolation = { kind: "absent" | "type" | "value"; path: string; expected: string; observed: string };

/** Checks data against a schema: paths as in a learnt schema, `data.items[].price`. */
export function* violationsOf(schema: FieldSchema, data: unknown, path = "data"): Generator<SchemaViolation> {
  const types = typesOf(schema);
  const type = typeOfValue(data);
  if (types.length > 0 && !types.includes(type) && !(type === "integer" && types.includes("number"))) {
    yield { kind: "type", path, expected: typeWords(types), observed: type };
    return;
  }
  if (schema.enum && !schema.enum.some((value) => String(value) === String(data)))
    yield { kind: "value", path, expected: valueWords(schema.enum), observed: shown(data) };
  if (Array.isArray(data) && schema.items) for (const element of data) yield* violationsOf(schema.items, element, `${path}[]`);
  if (isObject(data)) yield* keyViolations(schema, data, path);
}

function* keyViolations(schema: FieldSchema, data: Record<string, unknown>, path: string): Generator<SchemaViolation> {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const key of required)
    if (!Object.hasOwn(data, key)) yield { kind: "absent", path: keyPath(path, key), expected: "required", observed: "absent" };
  for (const [key, value] of Object.entries(data)) {
    if (Object.hasOwn(properties, key)) yield* violationsOf(properties[key] as FieldSchema, value, keyPath(path, key));
    else if (additionalProperties) yield* violationsOf(additionalProperties, value, `${path}.*`);
  }
}

const MAX_SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

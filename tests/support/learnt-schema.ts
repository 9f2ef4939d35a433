import type { EventPlace, FieldFormat, JsonType, SchemaField } from "#lib/contracts/event-types";
import { isNumber, isObject } from "#lib/contracts/exact-json";
import { keyPath } from "#lib/contracts/schemas/learnt-fields";

/** A learner of these tests: counts presence, types, whole numbers and all texts of a field that has few. It knows no privacy, map or bound. */
export function learn(events: unknown[]): SchemaField[] {
  const fields = new Map<string, Field>();
  for (const [at, event] of events.entries())
    visit(fields, event, { path: "data", parent: null, key: "data", depth: 0 }, { id: `evt_${at}`, at: new Date(at * 1000).toISOString() });
  const all = [...fields.values()].map((field) => finished(field, fields));
  return inTreeOrder(all);
}

type Place = Pick<SchemaField, "path" | "parent" | "key" | "depth">;
type Counted = { count: number; first: EventPlace; last: EventPlace };
type Field = Place & {
  present: number;
  types: Map<JsonType, Counted>;
  formats: Map<FieldFormat, Counted>;
  values: Map<string, Counted>;
  first: EventPlace;
  last: EventPlace;
};

function visit(fields: Map<string, Field>, value: unknown, place: Place, event: EventPlace): void {
  const field = fields.get(place.path) ?? {
    ...place,
    present: 0,
    types: new Map(),
    formats: new Map(),
    values: new Map(),
    first: event,
    last: event,
  };
  fields.set(place.path, field);
  field.present += 1;
  field.last = event;
  const type = typeOf(value);
  count(field.types, type, event);
  if (isNumber(value)) count(field.formats, /^-?\d+$/.test(String(value)) ? "int" : "decimal", event);
  if (typeof value === "string") count(field.values, value, event);
  const depth = place.depth + 1;
  if (Array.isArray(value)) {
    for (const element of value) visit(fields, element, { path: `${place.path}[]`, parent: place.path, key: "[]", depth }, event);
  } else if (isObject(value)) {
    for (const [key, part] of Object.entries(value))
      visit(fields, part, { path: keyPath(place.path, key), parent: place.path, key, depth }, event);
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (isNumber(value)) return "number";
  if (Array.isArray(value)) return "array";
  return isObject(value) ? "object" : (typeof value as JsonType);
}

function count<K>(counts: Map<K, Counted>, key: K, event: EventPlace): void {
  const before = counts.get(key);
  counts.set(key, { count: (before?.count ?? 0) + 1, first: before?.first ?? event, last: event });
}

const MAX_VALUES = 12;

function finished(field: Field, fields: Map<string, Field>): SchemaField {
  const { present, types, formats, values, ...rest } = field;
  const holder = field.parent === null ? null : fields.get(field.parent);
  const ofObjects = field.path.endsWith("[]") ? present : (holder?.types.get("object")?.count ?? present);
  return {
    ...rest,
    seen: ofObjects,
    present,
    types: [...types].map(([type, counted]) => ({ type, ...counted })),
    formats: [...formats].map(([format, counted]) => ({ format, ...counted })),
    length: null,
    elements: null,
    number: null,
    values: values.size > 0 && values.size <= MAX_VALUES ? [...values].map(([value, counted]) => ({ value, ...counted })) : null,
    settings: { ignored: false, map: false, notEnumeration: false },
  };
}

/** A field before those that it holds, keys sorted. */
function inTreeOrder(fields: SchemaField[]): SchemaField[] {
  const of = (parent: string | null): SchemaField[] =>
    fields
      .filter((field) => field.parent === parent)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .flatMap((field) => [field, ...of(field.path)]);
  return of(null);
}

import { isExactNumber, isNumber, isObject } from "#lib/contracts/exact-json";
import { formatNumber } from "#lib/contracts/format-count";
import { type FieldSchema, SCHEMA_TYPES, type SchemaType, typesOf } from "./field-schema.ts";

/** What a sender's documentation says of one event type. `name`: as its file names it. `notes`: sentences on what of it is not used. */
export type DocumentReading =
  | { outcome: "documented"; name: string; schema: FieldSchema; notes: string[] }
  | { outcome: "unreadable"; detail: string };

/** As deep as schemas are learnt. It also ends references that lead to themselves through a field. */
const MAX_DEPTH = 8;
/** References and alternatives between two fields. */
const MAX_HOPS = 24;
/** Schemas visited for one type: references can make a small file endless. */
const MAX_SCHEMAS = 20_000;
const MAX_DESCRIPTION = 300;

/** Reads a JSON Schema, or the webhook of a type in an OpenAPI document (`webhooks`). @param type as events name it; a single webhook is taken for it */
export function readDocument(document: unknown, type = ""): DocumentReading {
  if (!isObject(document)) return NO_OBJECT;
  const webhooks = [document.webhooks, document["x-webhooks"]].find(isObject);
  if (webhooks) return readWebhook(document, webhooks, type);
  if (document.openapi !== undefined || document.swagger !== undefined || document.paths !== undefined)
    return { outcome: "unreadable", detail: "The OpenAPI document has no webhooks." };
  return readJsonSchema(document);
}

const NO_OBJECT = { outcome: "unreadable", detail: "The file is not a JSON object." } as const;

/** Reads a JSON Schema of an object that names fields. */
export function readJsonSchema(document: unknown): DocumentReading {
  if (!isObject(document)) return NO_OBJECT;
  const reading = readSchema(document, document, typeof document.title === "string" ? document.title : "");
  if (reading.outcome === "unreadable") return reading;
  const { properties, additionalProperties, required, ...schema } = reading.schema;
  if (typesOf(schema).length > 0 && !typesOf(schema).includes("object"))
    return { outcome: "unreadable", detail: "The schema is not of an object." };
  return properties || additionalProperties || required
    ? reading
    : { outcome: "unreadable", detail: ["The schema names no fields.", ...reading.notes].join(" ") };
}

function readWebhook(document: Record<string, unknown>, webhooks: Record<string, unknown>, type: string): DocumentReading {
  const reader = new SchemaReader(document, 0);
  const documented = Object.entries(webhooks).flatMap(([name, item]) => {
    const body = reader.bodyOf(item);
    return body === undefined ? [] : [{ name, body }];
  });
  if (documented.length === 0) return { outcome: "unreadable", detail: "None of the webhooks has a JSON body." };
  const found =
    documented.length === 1
      ? documented[0]
      : (documented.find(({ name }) => name === type) ?? documented.find(({ name }) => nameKey(name) === nameKey(type)));
  return found
    ? readSchema(document, found.body, found.name)
    : { outcome: "unreadable", detail: `The file documents ${formatNumber(documented.length)} webhooks, but none that is named ${type}.` };
}

/** Reads a schema as deep as it can be: each level of a large one may have ten times the fields of the one before. */
function readSchema(document: Record<string, unknown>, schema: unknown, name: string): DocumentReading {
  for (let depth = MAX_DEPTH; depth > 0; depth -= 1) {
    const reader = new SchemaReader(document, depth);
    const read = reader.readWithin(schema);
    if (!read) continue;
    const lost = [...reader.unresolved];
    const notes = [
      ...(lost.length > 0 ? [`References that lead nowhere in the file allow anything: ${lost.slice(0, 3).join(", ")}.`] : []),
      ...(depth < MAX_DEPTH ? [`The schema is large: it is read to ${depth} levels.`] : []),
    ];
    return { outcome: "documented", name, schema: read, notes };
  }
  return { outcome: "unreadable", detail: `The schema has more than ${formatNumber(MAX_SCHEMAS)} parts.` };
}

/** `branch-protection-rule-created`, `branchProtectionRuleCreated` and `branch_protection_rule.created` are one name. */
const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** Returns the part that describes an event's data, where a schema describes the whole body. @param path where the data stands, `data.object` */
export function dataPart(schema: FieldSchema, path: string): FieldSchema {
  let part: FieldSchema | undefined = schema;
  for (const key of path.split(".")) part = part?.properties && Object.hasOwn(part.properties, key) ? part.properties[key] : undefined;
  return part ?? schema;
}

/**
 * Returns a schema's outermost fields, with what is said of their types, presence and values: all that a pin asks for.
 *
 * @param max fields, the schema itself counted; `leftOut` tells whether there are more
 */
export function outermost(schema: FieldSchema, max: number): { schema: FieldSchema; leftOut: boolean } {
  const root = bare(schema);
  let [left, leftOut] = [max - 1, false];
  let level: [from: FieldSchema, to: FieldSchema][] = [[schema, root]];
  while (level.length > 0) {
    const next: typeof level = [];
    const take = (part: FieldSchema) => {
      left -= 1;
      const to = bare(part);
      next.push([part, to]);
      return to;
    };
    for (const [{ properties = {}, required = [], items, additionalProperties }, to] of level) {
      const keys = [...new Set([...Object.keys(properties), ...required])];
      const kept = keys.slice(0, Math.max(left, 0));
      leftOut ||= kept.length < keys.length;
      if (kept.length > 0)
        to.properties = Object.fromEntries(kept.map((key) => [key, take(Object.hasOwn(properties, key) ? (properties[key] ?? {}) : {})]));
      if (required.length > 0) to.required = required.filter((key) => kept.includes(key));
      leftOut ||= left <= 0 && (items ?? additionalProperties) !== undefined;
      if (items && left > 0) to.items = take(items);
      if (additionalProperties && left > 0) to.additionalProperties = take(additionalProperties);
    }
    level = next;
  }
  return { schema: root, leftOut };
}

const bare = ({ type, enum: values }: FieldSchema): FieldSchema => ({ ...(type && { type }), ...(values && { enum: values }) });

class TooManySchemas extends Error {}

class SchemaReader {
  private readonly root: Record<string, unknown>;
  private readonly maxDepth: number;
  private visited = 0;
  /** References that can't be followed. */
  readonly unresolved = new Set<string>();

  constructor(root: Record<string, unknown>, maxDepth: number) {
    this.root = root;
    this.maxDepth = maxDepth;
  }

  /** Returns null for a schema that is too large. */
  readWithin(schema: unknown): FieldSchema | null {
    try {
      return this.read(schema);
    } catch (error) {
      if (error instanceof TooManySchemas) return null;
      throw error;
    }
  }

  /** Returns the schema of a webhook's JSON body (OpenAPI 3.1, Path Item Object), unread; undefined if it has none. */
  bodyOf(item: unknown): unknown {
    const path = this.resolved(item);
    const operation = this.resolved(isObject(path) ? (path.post ?? path.put) : undefined);
    const body = this.resolved(isObject(operation) ? operation.requestBody : undefined);
    const content = isObject(body) && isObject(body.content) ? Object.entries(body.content) : [];
    const [, media] = content.find(([type]) => /^application\/json\b/i.test(type)) ?? content.find(([type]) => /json/i.test(type)) ?? [];
    return isObject(media) ? media.schema : undefined;
  }

  private read(schema: unknown, depth = 0, hops = 0): FieldSchema {
    this.visited += 1;
    if (this.visited > MAX_SCHEMAS) throw new TooManySchemas();
    if (!isObject(schema) || depth > this.maxDepth || hops > MAX_HOPS) return {};
    const further = (each: unknown) => this.read(each, depth, hops + 1);
    const parts = [
      this.own(schema, depth),
      ...(typeof schema.$ref === "string" ? [further(this.find(schema.$ref))] : []),
      ...listOf(schema.allOf).map(further),
      ...[schema.anyOf, schema.oneOf].map(listOf).flatMap((list) => (list.length === 0 ? [] : [list.map(further).reduce(either)])),
    ];
    return orNull(parts.reduce(both), schema.nullable === true);
  }

  private own(schema: Record<string, unknown>, depth: number): FieldSchema {
    const named = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const properties = Object.fromEntries(named.map(([key, part]) => [key, this.read(part, depth + 1)]));
    const required = listOf(schema.required).filter((key) => typeof key === "string");
    const rest = isObject(schema.additionalProperties) && named.length === 0 ? this.read(schema.additionalProperties, depth + 1) : null;
    const items = isObject(schema.items) ? this.read(schema.items, depth + 1) : null;
    const values = schema.const === undefined ? (Array.isArray(schema.enum) ? schema.enum : null) : [schema.const];
    const type = ownTypes(schema, values, named.length > 0 || rest !== null, items !== null);
    return {
      ...(type.length > 0 && { type: oneOrMore(type) }),
      ...(typeof schema.format === "string" && { format: schema.format.slice(0, 40) }),
      ...(typeof schema.description === "string" && { description: schema.description.slice(0, MAX_DESCRIPTION) }),
      ...(values && { enum: values }),
      ...(Array.isArray(schema.examples) && { examples: schema.examples }),
      ...(named.length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(rest && { additionalProperties: rest }),
      ...(items && { items }),
    };
  }

  private resolved(value: unknown): unknown {
    return isObject(value) && typeof value.$ref === "string" ? this.find(value.$ref) : value;
  }

  /** Follows a JSON Pointer (RFC 6901) within the document; other files are not fetched. */
  private find(reference: string): unknown {
    const { $id } = this.root;
    const own = typeof $id === "string" && reference.startsWith(`${$id}#`) ? reference.slice($id.length) : reference;
    const found = own === "#" ? this.root : own.startsWith("#/") ? this.at(fragmentText(own.slice(2)).split("/")) : undefined;
    if (found === undefined) this.unresolved.add(reference.slice(0, MAX_DESCRIPTION));
    return found;
  }

  private at(keys: string[]): unknown {
    return keys
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((value, key) => {
        return (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      }, this.root);
  }
}

function fragmentText(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const oneOrMore = (types: SchemaType[]): SchemaType | SchemaType[] => (types.length === 1 ? (types[0] as SchemaType) : types);

const isSchemaType = (type: unknown): type is SchemaType => SCHEMA_TYPES.includes(type as SchemaType);

/** Without `type`, a schema with fields means an object, and one with values the types of these. */
function ownTypes({ type }: Record<string, unknown>, values: unknown[] | null, hasFields: boolean, hasItems: boolean): SchemaType[] {
  const said = (Array.isArray(type) ? type : [type]).filter(isSchemaType);
  if (said.length > 0) return said;
  if (values) return [...new Set(values.map(typeOfValue))];
  return [...(hasFields ? (["object"] as const) : []), ...(hasItems ? (["array"] as const) : [])];
}

/** Returns the type of a JSON value, as narrow as it is: `integer` of `7`. */
export function typeOfValue(value: unknown): SchemaType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return isWhole(value) ? "integer" : "number";
  return typeof value === "string" || typeof value === "boolean" ? (typeof value as SchemaType) : "object";
}

/** By its text: `1.10` is none, an ID of 30 digits is one. */
const isWhole = (value: unknown): boolean => (isExactNumber(value) ? /^-?\d+(\.0+)?$/.test(String(value)) : Number.isInteger(value));

const orNull = (schema: FieldSchema, nullable: boolean): FieldSchema => {
  const types = typesOf(schema);
  if (!nullable || types.length === 0 || types.includes("null")) return schema;
  return { ...schema, type: [...types, "null"], ...(schema.enum && { enum: [...schema.enum, null] }) };
};

/** Returns what both say (`allOf`). */
function both(a: FieldSchema, b: FieldSchema): FieldSchema {
  const types = commonTypes(typesOf(a), typesOf(b));
  const values = a.enum && b.enum ? a.enum.filter((value) => b.enum?.includes(value)) : (a.enum ?? b.enum);
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const properties = joined(a.properties, b.properties, both);
  const rest = a.additionalProperties && b.additionalProperties && both(a.additionalProperties, b.additionalProperties);
  const items = a.items && b.items ? both(a.items, b.items) : (a.items ?? b.items);
  return fieldSchema({ ...b, ...a }, types, {
    values,
    required,
    properties,
    items,
    rest: rest ?? a.additionalProperties ?? b.additionalProperties,
  });
}

/** Returns what one or the other says (`anyOf`, `oneOf`): a field is required where both require it. */
function either(a: FieldSchema, b: FieldSchema): FieldSchema {
  if (Object.keys(a).length === 0 || Object.keys(b).length === 0) return {};
  const types = typesOf(a).length === 0 || typesOf(b).length === 0 ? [] : [...new Set([...typesOf(a), ...typesOf(b)])];
  const values = a.enum && b.enum ? [...new Set([...a.enum, ...b.enum])] : enumBesideNull(a, b);
  // Of an object and null, the object alone says what is required.
  const objects = [a, b].filter((each) => typesOf(each).includes("object"));
  const [first, second] = objects;
  const required = (first?.required ?? []).filter((key) => !second || second.required?.includes(key));
  const properties = joined(a.properties, b.properties, either);
  const items = a.items && b.items ? either(a.items, b.items) : (a.items ?? b.items);
  const rest = a.additionalProperties && b.additionalProperties ? either(a.additionalProperties, b.additionalProperties) : undefined;
  const kept = { ...(a.description && { description: a.description }), ...(a.format === b.format && a.format && { format: a.format }) };
  return fieldSchema(kept, types, { values, required, properties, items, rest: rest ?? a.additionalProperties ?? b.additionalProperties });
}

const enumBesideNull = (a: FieldSchema, b: FieldSchema): unknown[] | undefined => {
  if (a.enum && typesOf(b).join() === "null") return [...a.enum, null];
  return b.enum && typesOf(a).join() === "null" ? [...b.enum, null] : undefined;
};

type Parts = {
  values: unknown[] | undefined;
  required: string[];
  properties: Record<string, FieldSchema> | undefined;
  items: FieldSchema | undefined;
  rest: FieldSchema | undefined;
};

function fieldSchema(kept: FieldSchema, types: SchemaType[], { values, required, properties, items, rest }: Parts): FieldSchema {
  const { format, description, examples } = kept;
  return {
    ...(types.length > 0 && { type: oneOrMore(types) }),
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
    ...(values && { enum: values }),
    ...(examples && { examples }),
    ...(properties && { properties }),
    ...(required.length > 0 && { required }),
    ...(rest && { additionalProperties: rest }),
    ...(items && { items }),
  };
}

/** An integer is a number; where one says nothing, the other's count. */
function commonTypes(a: SchemaType[], b: SchemaType[]): SchemaType[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const inB = (type: SchemaType) => b.includes(type) || (type === "integer" && b.includes("number"));
  const inA = (type: SchemaType) => type === "integer" && a.includes("number") && !a.includes("integer") && b.includes("integer");
  return [...a.filter(inB), ...b.filter(inA)];
}

type Fields = Record<string, FieldSchema> | undefined;

function joined(a: Fields, b: Fields, join: (a: FieldSchema, b: FieldSchema) => FieldSchema): Fields {
  if (!a || !b) return a ?? b;
  return Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => {
      const [one, other] = [a, b].map((fields) => (Object.hasOwn(fields, key) ? fields[key] : undefined));
      return [key, one && other ? join(one, other) : ((one ?? other) as FieldSchema)];
    }),
  );
}

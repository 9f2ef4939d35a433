import { isExactNumber, isNumber, isObject } from "#lib/contracts/exact-json";
import { type FieldSchema, SCHEMA_TYPES, type SchemaType, typesOf } from "./field-schema.ts";

/** A sender's documentation of one event type. `name`: as its file names it. */
export type Documented = { name: string; schema: FieldSchema };
export type DocumentReading = { outcome: "documented"; types: Documented[] } | { outcome: "unreadable"; detail: string };

/** As deep as schemas are learnt. It also ends references that lead to themselves through a field. */
const MAX_DEPTH = 8;
/** References and alternatives between two fields. */
const MAX_HOPS = 24;
/** Schemas visited in one document: references can make a small file endless. */
const MAX_SCHEMAS = 20_000;
const MAX_DESCRIPTION = 300;

/** Reads a JSON Schema, or an OpenAPI document with `webhooks`: the event types that it documents. */
export function readDocument(document: unknown): DocumentReading {
  if (!isObject(document)) return NO_OBJECT;
  const webhooks = [document.webhooks, document["x-webhooks"]].find(isObject);
  if (webhooks) return readBounded(document, (reader) => webhookTypes(webhooks, reader));
  if (document.openapi !== undefined || document.swagger !== undefined || document.paths !== undefined)
    return { outcome: "unreadable", detail: "The OpenAPI document has no webhooks." };
  return readJsonSchema(document);
}

const NO_OBJECT = { outcome: "unreadable", detail: "The file is not a JSON object." } as const;

/** Reads a JSON Schema of an object that names fields: one type. */
export function readJsonSchema(document: unknown): DocumentReading {
  if (!isObject(document)) return NO_OBJECT;
  return readBounded(document, (reader) => {
    const schema = reader.read(document);
    if (typesOf(schema).length > 0 && !typesOf(schema).includes("object"))
      return { outcome: "unreadable", detail: "The schema is not of an object." };
    if (!schema.properties && !schema.additionalProperties) return { outcome: "unreadable", detail: "The schema names no fields." };
    return { outcome: "documented", types: [{ name: typeof document.title === "string" ? document.title : "", schema }] };
  });
}

function readBounded(document: Record<string, unknown>, read: (reader: SchemaReader) => DocumentReading): DocumentReading {
  try {
    return read(new SchemaReader(document));
  } catch (error) {
    if (error instanceof TooManySchemas) return { outcome: "unreadable", detail: `The file has more than ${MAX_SCHEMAS} schemas.` };
    throw error;
  }
}

function webhookTypes(webhooks: Record<string, unknown>, reader: SchemaReader): DocumentReading {
  const types = Object.entries(webhooks).flatMap(([name, item]) => {
    const schema = reader.bodyOf(item);
    return schema ? [{ name, schema }] : [];
  });
  if (types.length === 0) return { outcome: "unreadable", detail: "None of the webhooks has a JSON body." };
  return { outcome: "documented", types };
}

/** Returns what documents an event type: of one schema that, else the one of its name, `branch-protection-rule-created` for `branch_protection_rule.created`. */
export function findDocumented(types: Documented[], type: string): Documented | null {
  if (types.length === 1) return types[0] ?? null;
  return types.find(({ name }) => name === type) ?? types.find(({ name }) => nameKey(name) === nameKey(type)) ?? null;
}

const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");

/** Returns the part that describes an event's data, where a schema describes the whole body. @param path where the data stands, `data.object` */
export function dataPart(schema: FieldSchema, path: string): FieldSchema {
  let part: FieldSchema | undefined = schema;
  for (const key of path.split(".")) part = part?.properties && Object.hasOwn(part.properties, key) ? part.properties[key] : undefined;
  return part ?? schema;
}

class TooManySchemas extends Error {}

class SchemaReader {
  private readonly root: Record<string, unknown>;
  private visited = 0;

  constructor(root: Record<string, unknown>) {
    this.root = root;
  }

  /** Returns the schema of a webhook's JSON body (OpenAPI 3.1, Path Item Object); null if it has none. */
  bodyOf(item: unknown): FieldSchema | null {
    const path = this.resolved(item);
    const operation = this.resolved(isObject(path) ? (path.post ?? path.put) : undefined);
    const body = this.resolved(isObject(operation) ? operation.requestBody : undefined);
    const content = isObject(body) && isObject(body.content) ? Object.entries(body.content) : [];
    const [, media] = content.find(([type]) => /^application\/json\b/i.test(type)) ?? content.find(([type]) => /json/i.test(type)) ?? [];
    return isObject(media) && media.schema !== undefined ? this.read(media.schema) : null;
  }

  read(schema: unknown, depth = 0, hops = 0): FieldSchema {
    this.visited += 1;
    if (this.visited > MAX_SCHEMAS) throw new TooManySchemas();
    if (!isObject(schema) || depth > MAX_DEPTH || hops > MAX_HOPS) return {};
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
    if (!reference.startsWith("#")) return undefined;
    const keys = fragmentText(reference.slice(1)).split("/").slice(1);
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

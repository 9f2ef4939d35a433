import type { JsonSchema } from "#lib/contracts/api/openapi";

export type FieldLine = {
  name: string;
  /** `data[].verification.form` */
  path: string;
  depth: number;
  type: string;
  bounds: string | null;
  always: boolean;
  ref: string | null;
  words: string | null;
  example: string | null;
};

const DEEPEST = 3;

export function refOf(schema: JsonSchema): string | null {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? null;
  if (schema.items) return refOf(schema.items);
  const [only, ...more] = alternatives(schema).filter((each) => each.type !== "null");
  return only && more.length === 0 ? refOf(only) : null;
}

const alternatives = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [];

/** Returns the type in words: "text or null", "list of Event". */
export function typeWords(schema: JsonSchema): string {
  const ref = schema.$ref?.split("/").at(-1);
  if (ref) return ref;
  const choices = alternatives(schema);
  if (choices.length > 0) return [...new Set(choices.map(typeWords))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.type === "array") return `list of ${schema.items ? typeWords(schema.items) : "anything"}`;
  if (schema.type === "object" && schema.additionalProperties && typeof schema.additionalProperties === "object")
    return `object of ${typeWords(schema.additionalProperties)}`;
  return simpleWords(schema);
}

function simpleWords(schema: JsonSchema): string {
  const { type, format, minimum, maximum } = schema;
  if (Array.isArray(type)) return type.map((each) => simpleWords({ ...schema, type: each })).join(" or ");
  if (type === "null") return "null";
  const range = minimum !== undefined && maximum !== undefined && maximum < 1e9 ? ` ${minimum} to ${maximum}` : "";
  const words: Record<string, string> = { string: "text", integer: "whole number", boolean: "true or false" };
  if (format === "date-time") return "time, ISO 8601";
  if (format === "email") return "email address";
  return type === undefined ? "anything" : `${words[type] ?? type}${range}`;
}

function boundsOf({ minLength, maxLength, default: standard }: JsonSchema): string | null {
  const bounds = [
    minLength === undefined || minLength < 2 ? null : `at least ${minLength} characters`,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    standard === undefined ? null : `default ${JSON.stringify(standard)}`,
  ].filter((each) => each !== null);
  return bounds.length === 0 ? null : bounds.join(", ");
}

export const fieldLine = (name: string, schema: JsonSchema, always: boolean): FieldLine => ({
  name,
  path: name,
  depth: 0,
  type: typeWords(schema),
  bounds: boundsOf(schema),
  always,
  ref: refOf(schema),
  words: schema.description ?? null,
  example: exampleWords(schema.examples?.[0]),
});

/** Returns an example as a person would type it: a list's values with commas between. */
export const exampleWords = (example: unknown): string | null => (example === undefined ? null : [example].flat().join(", "));

export function fieldLines(schema: JsonSchema, prefix = "", depth = 0): FieldLine[] {
  const { properties, required = [] } = schema;
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const line = { ...fieldLine(name, property, required.includes(name)), path: prefix + name, depth };
    const inner = property.type === "array" ? property.items : property;
    const suffix = property.type === "array" ? "[]." : ".";
    return depth < DEEPEST && inner?.properties ? [line, ...fieldLines(inner, `${prefix}${name}${suffix}`, depth + 1)] : [line];
  });
}

const MAX_EXAMPLE_DEPTH = 8;
const NOW = "2026-11-24T08:00:00.000Z";

/** Values for fields with these names; any other is "text". */
const TEXTS: [name: RegExp, value: string][] = [
  [/(^|[a-z])(at|since|until|from|to|minute|created)$/i, NOW],
  [/email/i, "ada@example.com"],
  [/url$/i, "https://example.com/"],
  [/^type$/, "document.processed"],
  [/^title$/, "Document processed"],
  [/^kind$/, "document"],
  [/^source$/, "platform"],
  [/^(name|label)$/, "Invoice 4711.pdf"],
  [/^(actor|by|.*By)$/, "ada@example.com"],
  [/^eventId$/, "evt_1"],
  [/^documentId$/, "doc_1"],
  [/^taskId$/, "task_1"],
  [/^(id|.*Id)$/, "id_1"],
  [/^ip$/, "203.0.113.7"],
];

/** Returns an example value that fits a schema. `schemas` are those that it may refer to, `name` is the field's. */
export function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>, name = "", depth = 0): unknown {
  if (depth > MAX_EXAMPLE_DEPTH) return null;
  const ref = schema.$ref?.split("/").at(-1);
  if (ref !== undefined) return exampleOf(schemas[ref] ?? {}, schemas, name, depth + 1);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleOf(choices.find(({ type }) => type !== "null") ?? {}, schemas, name, depth + 1);
  const fixed = [schema.const, schema.default, schema.enum?.[0]].find((value) => value !== undefined);
  if (fixed !== undefined) return fixed;
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  if (type === "array") return schema.items ? [exampleOf(schema.items, schemas, name, depth + 1)] : [];
  if (type === "object" || schema.properties) return objectExample(schema, schemas, depth);
  return simpleExample(schema, type, name);
}

function objectExample({ properties, additionalProperties }: JsonSchema, schemas: Record<string, JsonSchema>, depth: number) {
  const entries = Object.entries(properties ?? {}).map(([name, property]) => [name, exampleOf(property, schemas, name, depth + 1)]);
  if (entries.length === 0 && typeof additionalProperties === "object")
    entries.push(["key", exampleOf(additionalProperties, schemas, "", depth + 1)]);
  return Object.fromEntries(entries);
}

function simpleExample({ format, minimum }: JsonSchema, type: string | undefined, name: string): unknown {
  if (type === "integer" || type === "number") return Math.max(1, minimum ?? 1);
  if (type === "boolean") return true;
  if (type !== "string") return null;
  if (format === "date-time") return NOW;
  return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? "text";
}

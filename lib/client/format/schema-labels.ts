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
});

export function fieldLines(schema: JsonSchema, prefix = "", depth = 0): FieldLine[] {
  const { properties, required = [] } = schema;
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const line = { ...fieldLine(name, property, required.includes(name)), path: prefix + name, depth };
    const inner = property.type === "array" ? property.items : property;
    const suffix = property.type === "array" ? "[]." : ".";
    return depth < DEEPEST && inner?.properties ? [line, ...fieldLines(inner, `${prefix}${name}${suffix}`, depth + 1)] : [line];
  });
}

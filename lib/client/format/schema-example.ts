import type { JsonSchema } from "#lib/contracts/api/openapi";

const DEEPEST = 8;
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
  if (depth > DEEPEST) return null;
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

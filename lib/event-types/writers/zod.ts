import { type FieldSchema, typesOf } from "#lib/contracts/schemas/field-schema";
import {
  camel,
  type DescribedType,
  inComment,
  indented,
  inSources,
  literal,
  Names,
  type WrittenAs,
  writtenHead,
} from "./described-types.ts";

/** Writes a Zod schema for each event type, and one of all, piece by piece. Objects are loose: a field that is added breaks nothing. */
export function* writeZod(types: DescribedType[], about: WrittenAs): Generator<string> {
  yield `${writtenHead(types, about)}${ENVELOPE}`;
  const names = new Names();
  const events: string[] = [];
  for (const { type, title, schema, nameParts } of inSources(types)) {
    const name = names.take(...nameParts);
    const data = names.take(...nameParts, "data");
    events.push(`${camel(name)}Event`);
    yield `/** ${inComment(title)} */
export const ${camel(data)} = ${zodOf(schema, 0)};
export type ${data} = z.infer<typeof ${camel(data)}>;
export const ${camel(name)}Event = envelope(${literal(type)}, ${camel(data)});
export type ${name} = z.infer<typeof ${camel(name)}Event>;

`;
  }
  const kinds = new Set(types.map(({ type }) => type)).size;
  yield `${unionOf(events, kinds)}
export type SignalboxEvent = z.infer<typeof signalboxEvent>;
`;
}

const ENVELOPE = `
import { z } from "zod";

/** An event as Signalbox reads it; the platform's bodies are just this. \`created\` is in Unix seconds. */
const envelope = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.looseObject({ id: z.string(), type: z.literal(type), created: z.number(), data });

`;

/** Zod refuses a discriminated union that has a value twice: a type that two sources send. */
function unionOf(events: string[], kinds: number): string {
  if (events.length === 0) return "export const signalboxEvent = z.never();";
  const options = events.map((event) => `  ${event},\n`).join("");
  return kinds === events.length
    ? `export const signalboxEvent = z.discriminatedUnion("type", [\n${options}]);`
    : `export const signalboxEvent = z.union([\n${options}]);`;
}

function zodOf(schema: FieldSchema, depth: number): string {
  if (schema.enum) return schema.enum.length === 0 ? "z.never()" : `z.literal([${schema.enum.map(literal).join(", ")}])`;
  const types = typesOf(schema);
  const parts = [...new Set(types.filter((type) => type !== "null").map((type) => zodOfType(type, schema, depth)))];
  if (types.length === 0) return "z.unknown()";
  const [first = "z.null()"] = parts;
  const one = parts.length > 1 ? `z.union([${parts.join(", ")}])` : first;
  return types.includes("null") && parts.length > 0 ? `z.nullable(${one})` : one;
}

function zodOfType(type: string, schema: FieldSchema, depth: number): string {
  if (type === "string") return "z.string()";
  if (type === "boolean") return "z.boolean()";
  // Not z.int(), which refuses IDs of more than 15 digits.
  if (type === "integer" || type === "number") return "z.number()";
  if (type === "array") return `z.array(${schema.items ? zodOf(schema.items, depth) : "z.unknown()"})`;
  return objectOf(schema, depth);
}

function objectOf({ properties = {}, required = [], additionalProperties }: FieldSchema, depth: number): string {
  // Zod's objects can't name it; being loose, they let it pass.
  const known = Object.entries(properties).filter(([key]) => key !== "__proto__");
  if (known.length === 0) return `z.record(z.string(), ${additionalProperties ? zodOf(additionalProperties, depth) : "z.unknown()"})`;
  const fields = known.map(([key, schema]) => {
    const value = zodOf(schema, depth + 1);
    const declared = `${indented(depth + 1)}${literal(key)}: ${required.includes(key) ? value : `z.optional(${value})`},`;
    const note = noteOf(schema);
    const end = declared.indexOf("\n");
    return end === -1 ? declared + note : declared.slice(0, end) + note + declared.slice(end);
  });
  return `z.looseObject({\n${fields.join("\n")}\n${indented(depth)}})`;
}

function noteOf({ $comment, format, examples = [], description }: FieldSchema): string {
  const seen = examples.length === 0 ? undefined : `seen: ${examples.map(literal).join(", ")}`;
  const note = [$comment, format, seen, description].filter((part) => part !== undefined).join("; ");
  return note === "" ? "" : ` // ${inComment(note)}`;
}

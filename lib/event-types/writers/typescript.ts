import { type FieldSchema, typesOf } from "#lib/contracts/schemas/field-schema";
import { type DescribedType, inComment, indented, inSources, literal, Names, type WrittenAs, writtenHead } from "./described-types.ts";

/** Writes a type for each event type, and their union by `type`, piece by piece. */
export function* writeTypeScript(types: DescribedType[], about: WrittenAs): Generator<string> {
  yield `${writtenHead(types, about)}${ENVELOPE}`;
  const names = new Names();
  const members: string[] = [];
  for (const { type, title, schema, nameParts } of inSources(types)) {
    const name = names.take(...nameParts);
    const data = names.take(...nameParts, "data");
    members.push(`  | ${name}`);
    yield `/** ${inComment(title)} */
export type ${data} = ${typeOf(schema, 0)};
export type ${name} = SignalboxEnvelope<${literal(type)}, ${data}>;

`;
  }
  yield `export type SignalboxEvent =${members.length === 0 ? " never" : `\n${members.join("\n")}`};

export type SignalboxEventType = SignalboxEvent["type"];
`;
}

const ENVELOPE = `
/** An event as Signalbox reads it; the platform's bodies are just this. \`created\` is in Unix seconds. */
export type SignalboxEnvelope<Type extends string, Data> = {
  id: string;
  type: Type;
  created: number;
  data: Data;
};

`;

function typeOf(schema: FieldSchema, depth: number): string {
  if (schema.enum) return schema.enum.length === 0 ? "never" : schema.enum.map(literal).join(" | ");
  const parts = typesOf(schema).flatMap((type) => {
    if (type === "string") return textType(schema);
    if (type === "integer" || type === "number") return "number";
    if (type === "array") return arrayType(schema, depth);
    return type === "object" ? objectType(schema, depth) : type;
  });
  return parts.length === 0 ? "unknown" : [...new Set(parts)].join(" | ");
}

/** Editors offer the values that were seen, and any other text is right. */
function textType({ examples = [] }: FieldSchema): string[] {
  const seen = examples.filter((value) => typeof value === "string");
  return seen.length === 0 ? ["string"] : [...seen.map(literal), "(string & {})"];
}

function arrayType({ items }: FieldSchema, depth: number): string {
  const item = items ? typeOf(items, depth) : "unknown";
  return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: FieldSchema, depth: number): string {
  const known = Object.entries(properties);
  const rest = additionalProperties ? typeOf(additionalProperties, depth) : "unknown";
  if (known.length === 0) return `Record<string, ${rest}>`;
  const fields = known.map(([key, schema]) => fieldLine(key, schema, required.includes(key), depth + 1));
  // With both, TypeScript asks each known field to fit the type of the others.
  if (additionalProperties) fields.push(`${indented(depth + 1)}[key: string]: unknown;`);
  return `{\n${fields.join("\n")}\n${indented(depth)}}`;
}

function fieldLine(key: string, schema: FieldSchema, required: boolean, depth: number): string {
  const declared = `${indented(depth)}${literal(key)}${required ? "" : "?"}: ${typeOf(schema, depth)};`;
  const note = [schema.$comment, schema.format, schema.description].filter((part) => part !== undefined).join("; ");
  if (note === "") return declared;
  const comment = ` // ${inComment(note)}`;
  const end = declared.indexOf("\n");
  return end === -1 ? declared + comment : declared.slice(0, end) + comment + declared.slice(end);
}

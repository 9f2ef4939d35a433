import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EventTypeInfo, EventTypeList } from "../../../lib/contracts/event-types.ts";
import type { Session } from "./commands/session.ts";
import { CliError, usageError } from "./exit.ts";

export type TypesOptions = {
  from: "catalogue" | "observed" | "pinned";
  source?: string;
  zod?: boolean;
  jsonSchema?: boolean;
  out?: string;
};

export async function writeTypes({ output, api, target }: Session, options: TypesOptions): Promise<void> {
  const { from, source, zod = false, jsonSchema = false, out } = options;
  if (zod && jsonSchema) throw usageError("Use --zod or --json-schema, not both.");
  if (from === "catalogue" && (zod || jsonSchema || source !== undefined))
    throw usageError("--zod, --json-schema and --source need --from observed or --from pinned.");
  const format = zod ? "zod" : jsonSchema ? "json-schema" : "typescript";
  const text =
    from === "catalogue"
      ? typesOf(catalogueOf((await api().get<EventTypeList>("/api/v1/event-types")).data), target.url)
      : await api().getText("/api/v1/event-types/schema", { format, from, source });
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  writeFile(out, text);
  output.note(`Written to ${out}.`);
}

/** @throws CliError if it can't be written */
export function writeFile(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CliError(`${file} can't be written: ${(error as Error).message}`);
  }
}

/** The list has a line for each source that sends a type, and types that no document names. */
export function catalogueOf(listed: EventTypeInfo[]): EventTypeInfo[] {
  const documented = new Map(listed.filter(({ meaning }) => meaning !== "").map((type) => [type.type, type]));
  return [...documented.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

type Schema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  anyOf?: Schema[];
  const?: unknown;
};

/** Undocumented parts stay `unknown`. */
function typesOf(types: EventTypeInfo[], url: string): string {
  const declarations = types.map(({ type, meaning, dataSchema }) => {
    const data = dataSchema ? typeOf(dataSchema as Schema, 1) : "Record<string, unknown>";
    return `/** ${comment(meaning)}.${dataSchema ? "" : " The platform does not document its data."} */\nexport type ${typeName(type)} = SignalboxEnvelope<${JSON.stringify(type)}, ${data}>;`;
  });
  return `// The events of ${url}. Written by: signalbox types

/** A webhook's body. \`created\` is in Unix seconds. */
export type SignalboxEnvelope<Type extends string, Data> = {
  id: string;
  type: Type;
  created: number;
  data: Data;
};

${declarations.join("\n\n")}

export type SignalboxEvent =
${types.map(({ type }) => `  | ${typeName(type)}`).join("\n")};

export type SignalboxEventType = SignalboxEvent["type"];
`;
}

/** `DocumentProcessed` of `document.processed`. */
const typeName = (type: string): string =>
  type
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The text must not end its comment. */
const comment = (text: string) => text.replaceAll("*/", "* /").replaceAll("\n", " ");

function typeOf(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, depth)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `(${schema.items ? typeOf(schema.items, depth) : "unknown"})[]`;
    case "object":
      return objectType(schema, depth);
    default:
      return "unknown";
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  const indent = "  ".repeat(depth);
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${indent}${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, depth + 1)};`,
  );
  const rest =
    typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0
      ? typeOf(additionalProperties, depth)
      : "unknown";
  if (fields.length === 0) return `Record<string, ${rest}>`;
  if (additionalProperties !== false && additionalProperties !== undefined) fields.push(`${indent}[more: string]: unknown;`);
  return `{\n${fields.join("\n")}\n${"  ".repeat(depth - 1)}}`;
}

import { createHash } from "node:crypto";
import { writeJson } from "#lib/contracts/exact-json";
import { DIALECT, type FieldSchema, type SchemaBundle, type SchemaOwner, schemaId } from "#lib/contracts/schemas/field-schema";

/** An event type of a source, to be written as code. `dataPath`: where in a body its data stands; null for the body itself. */
export type DescribedType = SchemaOwner & { title: string; schema: FieldSchema; hash: string; dataPath: string | null };

export type WrittenAs = { url: string; from: "observed" | "pinned" };

/** Returns types in a fixed order, each with what its name is made of: its type and variant, and its source where several send that type. */
export function inSources(types: DescribedType[]): (DescribedType & { nameParts: string[] })[] {
  const ofType = Map.groupBy(types, ({ type }) => type);
  return sorted(types).map((each) => {
    const sources = new Set(ofType.get(each.type)?.map(({ source }) => source));
    const nameParts = [...(sources.size > 1 ? [each.source] : []), each.type, ...(each.variant === null ? [] : [each.variant])];
    return { ...each, nameParts };
  });
}

const sorted = (types: DescribedType[]): DescribedType[] =>
  types.toSorted(
    (a, b) => compareTexts(a.type, b.type) || compareTexts(a.source, b.source) || compareTexts(a.variant ?? "", b.variant ?? ""),
  );

/** By code unit: the same on every machine. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function writtenHead(types: DescribedType[], { url, from }: WrittenAs): string {
  return `// Event types of ${inComment(url)}, as ${from}. Written by Signalbox: signalbox types --from ${from}
// Schema ${bundleHash(types)}
// A field is required where all of 300 or more events had it; the counts say how many did.
`;
}

/** Writes a type's JSON Schema (2020-12). */
export const writeJsonSchema = (described: DescribedType): string => `${writeJson(documentOf(described), 2)}\n`;

/** Writes the JSON Schemas of several types as one document (a `SchemaBundle`), a piece for each: all at once would hold up others. */
export function* writeBundle(types: DescribedType[], { url, from }: WrittenAs): Generator<string> {
  const head = {
    $schema: DIALECT,
    $id: `urn:signalbox:event-types:${from}`,
    title: `Event types of ${url}, as ${from}`,
    $comment: `schema ${bundleHash(types)}`,
  } satisfies Omit<SchemaBundle, "$defs">;
  yield `${writeJson(head, 2).slice(0, -2)},\n  "$defs": {`;
  for (const [at, each] of sorted(types).entries())
    yield `${at === 0 ? "" : ","}\n    ${writeJson(schemaId(each))}: ${writeJson(documentOf(each), 2).replaceAll("\n", "\n    ")}`;
  yield types.length === 0 ? "}\n}\n" : "\n  }\n}\n";
}

function documentOf({ title, schema, dataPath, hash, ...owner }: DescribedType): FieldSchema {
  const { $comment, ...says } = schema;
  const comment = [...($comment === undefined ? [] : [$comment]), `schema ${hash}`].join("; ");
  const place = dataPath === null ? {} : { "x-data-path": dataPath };
  return { $schema: DIALECT, $id: schemaId(owner), title, $comment: comment, ...place, ...says };
}

/** Returns a hash that changes only when what the schema says does: counts and descriptions aside. */
export const schemaHash = (schema: FieldSchema): string => sha256(writeJson(canonical(schema)));

const bundleHash = (types: DescribedType[]): string => sha256(writeJson(sorted(types).map((each) => [schemaId(each), each.hash])));

const sha256 = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** Names of fields are not keywords: a field may be called `$comment`. */
function canonical(schema: FieldSchema): unknown {
  const { $schema, $id, $comment, title, description, properties, additionalProperties, items, required, ...rest } = schema;
  const keywords = {
    ...rest,
    ...(properties && { properties: inOrder(properties).map(([key, part]) => [key, canonical(part)]) }),
    ...(additionalProperties && { additionalProperties: canonical(additionalProperties) }),
    ...(items && { items: canonical(items) }),
    ...(required && { required: required.toSorted(compareTexts) }),
  };
  return Object.fromEntries(inOrder(keywords));
}

const inOrder = <T>(record: Record<string, T>): [string, T][] => Object.entries(record).sort(([a], [b]) => compareTexts(a, b));

/** Names that the written code uses itself, or that a type of this name would hide. */
const TAKEN = [
  ...["Array", "Record", "Event", "Object", "String", "Number", "Boolean", "Symbol", "Function", "Promise", "Date", "Error", "Map", "Set"],
  ...["SignalboxEnvelope", "SignalboxEvent", "SignalboxEventType", "Infinity", "NaN"],
];

/** Gives out names for declarations, each once. */
export class Names {
  private readonly taken = new Set(TAKEN);

  /** Returns `DocumentProcessed` for `document.processed`, with a number behind it where that is taken. */
  take(...texts: string[]): string {
    const name = texts.map(pascal).join("");
    const safe = /^[\p{ID_Start}_$]/u.test(name) ? name : `Type${name}`;
    let free = safe;
    for (let number = 2; this.taken.has(free); number += 1) free = `${safe}${number}`;
    this.taken.add(free);
    return free;
  }
}

const pascal = (text: string): string =>
  text
    .split(/[^\p{ID_Continue}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns text that ends neither its line nor its comment. */
export const inComment = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll("*/", "* /");

/** Writes a value as a literal of TypeScript: JSON, without the characters that end a line or turn the direction of text. */
export const literal = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export const indented = (depth: number): string => "  ".repeat(depth);

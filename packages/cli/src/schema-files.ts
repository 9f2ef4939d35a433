import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, parseExact, writeJson } from "../../../lib/contracts/exact-json.ts";
import { countWords } from "../../../lib/contracts/format-count.ts";
import { readDocument } from "../../../lib/contracts/schemas/document.ts";
import { type FieldSchema, ownerOf, type SchemaBundle, type SchemaOwner } from "../../../lib/contracts/schemas/field-schema.ts";
import type { Session } from "./commands/session.ts";
import { CliError, usageError } from "./exit.ts";
import { writeFile } from "./types.ts";

export type PullOptions = { dir: string; from: "observed" | "pinned"; source?: string };

/** Writes a file for each schema, `<source>/<type>.json`. Files of types that are no more are left alone. */
export async function pullSchemas({ output, api }: Session, { dir, from, source }: PullOptions): Promise<void> {
  const text = await api().getText("/api/v1/event-types/schema", { format: "json-schema", from, source });
  const { $defs } = parseExact(text) as SchemaBundle;
  const schemas = Object.values($defs);
  const written = fileNames(schemas).filter(({ name, schema }) => {
    const file = path.join(dir, name);
    const next = `${writeJson(schema, 2)}\n`;
    if (existsSync(file) && readFileSync(file, "utf8") === next) return false;
    writeFile(file, next);
    return true;
  });
  if (schemas.length === 0) output.note(from === "pinned" ? "No event type is pinned." : "No event type was learnt yet.");
  else output.note(`${countWords(schemas.length, "schema")} in ${dir}, ${written.length} of them written anew.`);
}

/** Returns a file name for each schema, safe and different on every file system. */
export function fileNames(schemas: FieldSchema[]): { name: string; schema: FieldSchema }[] {
  const named = schemas.flatMap((schema) => {
    const owner = ownerOf(schema);
    return owner ? [{ name: nameOf(owner), id: schema.$id ?? "", schema }] : [];
  });
  const alike = new Map<string, number>();
  for (const { name } of named) alike.set(name.toLowerCase(), (alike.get(name.toLowerCase()) ?? 0) + 1);
  return named.map(({ name, id, schema }) => {
    // macOS and Windows take names that differ in case alone for one.
    const clash = (alike.get(name.toLowerCase()) ?? 0) > 1;
    return { name: `${name}${clash ? `~${shortHash(id)}` : ""}.json`, schema };
  });
}

const nameOf = ({ source, type, variant }: SchemaOwner): string =>
  path.join(segment(source), segment(type) + (variant === null ? "" : `@${segment(variant)}`));

const MAX_NAME = 100;

/** A segment that no system gives a meaning: no separator, no `..`, no leading dot, no device of Windows, not too long. */
function segment(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed()).replaceAll(/[*'()!~]|^\.|\.$/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(escaped) || escaped === "" ? `_${escaped}` : escaped;
  return safe.length > MAX_NAME ? `${safe.slice(0, MAX_NAME)}~${shortHash(text)}` : safe;
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

export type SchemaFile = { file: string; owner: SchemaOwner; schema: FieldSchema; dataPath: string | null };

/** Reads the schemas of a folder. @throws CliError if there is none */
export function readSchemas({ output }: Pick<Session, "output">, dir: string): SchemaFile[] {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`There is no folder ${dir}.`, "Write its schemas with: signalbox schema pull --dir DIR");
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort();
  const schemas = files.flatMap((file) => {
    const read = readSchema(path.join(dir, file));
    if (read === null) output.warn(`${file} is not a schema of signalbox schema pull.`);
    for (const note of read?.notes ?? []) output.warn(`${file}: ${note}`);
    return read?.schema ?? [];
  });
  if (schemas.length === 0) throw new CliError(`${dir} has no schemas.`, { hint: "Write them with: signalbox schema pull --dir DIR" });
  return schemas;
}

/** A file may have been edited, or have what JSON Schema has besides: it is read as any document. */
function readSchema(file: string): { schema: SchemaFile; notes: string[] } | null {
  let document: unknown;
  try {
    document = parseExact(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CliError(`${file} can't be read: ${(error as Error).message}`);
  }
  const owner = isObject(document) ? ownerOf(document) : null;
  if (!isObject(document) || !owner) return null;
  const read = readDocument(document);
  const place = document["x-data-path"];
  const [schema, notes] = read.outcome === "documented" ? [read.schema, read.notes] : [{}, [`Nothing is checked. ${read.detail}`]];
  return { schema: { file, owner, schema, dataPath: typeof place === "string" ? place : null }, notes };
}

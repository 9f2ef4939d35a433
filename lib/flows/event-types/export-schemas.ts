import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SCHEMA_FORMATS } from "#lib/contracts/event-types";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { pool } from "#lib/db/pool";
import { findVersionTree } from "#lib/event-types/history-store";
import type { SchemaTree } from "#lib/event-types/schema";
import { findSchema, findSchemas, type ListedSchema, listSchemas, type StoredSchema } from "#lib/event-types/schema-store";
import { type DescribedType, schemaHash, writeBundle, writeJsonSchema } from "#lib/event-types/writers/described-types";
import { observedSchema } from "#lib/event-types/writers/json-schema";
import { pinnedSchema } from "#lib/event-types/writers/pinned-schema";
import { writeTypeScript } from "#lib/event-types/writers/typescript";
import { writeZod } from "#lib/event-types/writers/zod";
import type { SavedText } from "#lib/http/streamed-answer";
import { titleOfType } from "#lib/platform/event-catalogue";
import type { SourceReading } from "#lib/platform/read-event";
import { findReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/waits";
import { treeOf } from "./read-event-types.ts";

type Format = (typeof SCHEMA_FORMATS)[number];
type From = "observed" | "pinned";

/** Writes the schema of one event type: as observed, as pinned, or a version. @throws AppError `not_found` */
export async function exportSchema(
  workspaceId: WorkspaceId,
  id: string,
  { format, from, version }: { format: Format; from: From; version?: number | undefined },
): Promise<SavedText> {
  const [schema, [listed]] = await Promise.all([findSchema(workspaceId, id), listSchemas(workspaceId, { id })]);
  if (!schema || !listed) throw new AppError("not_found", "There is no event type with that ID.");
  const fields = version === undefined ? await fieldsOf(schema, listed, from) : await versionOf(schema, version);
  if (!fields)
    throw new AppError("not_found", version === undefined ? "This event type is not pinned." : "This event type has no such version.");
  const readings = await findReadings(pool(), [schema.sourceId]);
  const type = describe(listed, fields, readings.get(schema.sourceId));
  const name = type.type.replaceAll(/[^\w.-]+/g, "-").slice(0, 100);
  if (format === "json-schema") return saved(format, name, [writeJsonSchema(type)]);
  return saved(format, name, WRITERS[format]([type], { url: env().APP_URL, from }));
}

/** Writes the schemas of all learnt types, or of a source's. Those of events that were fetched describe no webhook: they are left out. */
export async function exportSchemas(
  workspaceId: WorkspaceId,
  { format, from, source }: { format: Format; from: From; source?: string | undefined },
): Promise<SavedText> {
  const listed = (await listSchemas(workspaceId, { source })).filter(({ state, variant, isPinned }) => {
    return state === "observed" && variant !== FETCHED && (from === "observed" || isPinned);
  });
  const ids = listed.map(({ id }) => id);
  const stored = new Map((await findSchemas(ids, pool())).map((schema) => [schema.id, schema]));
  const readings = await findReadings(pool(), [...new Set(listed.map(({ sourceId }) => sourceId))]);
  const pauses = new Pauses();
  const types: DescribedType[] = [];
  for (const each of listed) {
    const schema = stored.get(each.id);
    const fields = schema && (await fieldsOf(schema, each, from));
    if (fields) types.push(describe(each, fields, readings.get(each.sourceId)));
    await pauses.afterPiece();
  }
  return saved(format, "signalbox-events", WRITERS[format](types, { url: env().APP_URL, from }));
}

const FETCHED = "fetched";

const WRITERS = { "json-schema": writeBundle, typescript: writeTypeScript, zod: writeZod };

/** Types of 500 times 400 fields take a second to write: others take their turns between them. */
async function saved(format: Format, name: string, pieces: Iterable<string>): Promise<SavedText> {
  const pauses = new Pauses();
  let text = "";
  for (const piece of pieces) {
    text += piece;
    await pauses.afterPiece();
  }
  const { mediaType, extension } = WRITTEN[format];
  return { text, mediaType, fileName: `${name}${extension}` };
}

const WRITTEN: Record<Format, { mediaType: string; extension: string }> = {
  "json-schema": { mediaType: "application/schema+json", extension: ".schema.json" },
  typescript: { mediaType: "text/plain", extension: ".d.ts" },
  zod: { mediaType: "text/plain", extension: ".ts" },
};

/** Enumerations are closed where the newest version has them: a person accepted it. Null for what is not pinned. */
async function fieldsOf(schema: StoredSchema, { version }: ListedSchema, from: From): Promise<FieldSchema | null> {
  if (from === "pinned") {
    if (!schema.pin) return null;
    return schema.pin.version === null ? pinnedSchema(schema.pin.fields) : versionOf(schema, schema.pin.version);
  }
  const accepted = version === null ? null : await versionOf(schema, version);
  return observedSchema(treeOf(schema.tree, schema.settings), accepted);
}

async function versionOf(schema: StoredSchema, number: number): Promise<FieldSchema | null> {
  const tree = await findVersionTree(schema.workspaceId, schema.id, number);
  return tree && versionSchema(tree);
}

/** Returns what a version says: its values are all that there are. */
export const versionSchema = (tree: SchemaTree): FieldSchema => observedSchema(treeOf(tree, []), "all");

function describe({ source, type, variant }: ListedSchema, schema: FieldSchema, reading: SourceReading | undefined): DescribedType {
  const title = titleOfType(type) === type ? type : `${titleOfType(type)} (${type})`;
  return {
    ...{ source, type, schema, hash: schemaHash(schema) },
    variant: variant === "" ? null : variant,
    title: variant === "" ? title : `${title}, ${variant}`,
    dataPath: reading?.event ? (reading.event.data ?? null) : "data",
  };
}

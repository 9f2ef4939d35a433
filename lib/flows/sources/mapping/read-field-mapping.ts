import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping, SourceFieldMapping } from "#lib/contracts/sources/field-mapping";
import { pool } from "#lib/db/pool";
import { FIELD_NAMES } from "#lib/platform/field-names";
import { readingOf, type SourceReading } from "#lib/platform/reading/source-reading";
import { findMappedSource, type MappedSource } from "#lib/sources/field-mapping-store";
import { findReadings } from "#lib/sources/reading-store";

/** @throws AppError `not_found` */
export async function readFieldMapping(workspaceId: WorkspaceId, sourceId: SourceId): Promise<SourceFieldMapping> {
  const { id, name, mapping, changedAt, changedBy } = await findSource(workspaceId, sourceId);
  const envelope = Object.fromEntries(["id", "type", "created", "data"].map((part) => [`event.${part}`, [part]]));
  const facts = Object.fromEntries(Object.entries(FIELD_NAMES).map(([fact, paths]) => [fact, [...paths]]));
  return {
    source: { id, name },
    mapping,
    changedAt: changedAt?.toISOString() ?? null,
    changedBy,
    builtIn: { ...envelope, ...facts },
  };
}

export async function findSource(workspaceId: WorkspaceId, sourceId: SourceId): Promise<MappedSource> {
  const source = await findMappedSource(workspaceId, sourceId);
  if (!source) throw new AppError("not_found", "There is no source with that ID.");
  return source;
}

export async function findReading(sourceId: SourceId, mapping: FieldMapping): Promise<SourceReading> {
  const readings = await findReadings(pool(), [sourceId]);
  return { ...readingOf(readings, sourceId), mapping };
}

import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";

/** Includes sources whose mapping was removed. */
export async function listMappedSources(workspaceId: WorkspaceId, from: Connection): Promise<Set<string>> {
  const rows = await prisma(from).fieldMapping.findMany({ where: { workspaceId }, select: { sourceId: true } });
  return new Set(rows.map(({ sourceId }) => sourceId));
}

export type MappedSource = { id: SourceId; name: string; mapping: FieldMapping; changedAt: Date | null; changedBy: string | null };

export async function findMappedSource(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  from: Connection = pool(),
): Promise<MappedSource | null> {
  const { rows } = await from.query<MappedSource>(
    `SELECT s.id, s.name, coalesce(m.mapping, '{}') AS mapping, m.changed_at AS "changedAt", m.changed_by AS "changedBy"
     FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id WHERE s.workspace_id = $1 AND s.id = $2`,
    [workspaceId, sourceId],
  );
  return rows[0] ?? null;
}

export async function putMapping(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  mapping: FieldMapping,
  by: string,
): Promise<void> {
  await client.query(
    `INSERT INTO field_mappings (source_id, workspace_id, mapping, changed_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (source_id) DO UPDATE SET mapping = $3, changed_by = $4, changed_at = now()`,
    [sourceId, workspaceId, JSON.stringify(mapping), by],
  );
}

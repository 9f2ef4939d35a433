import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { pool } from "#lib/db/pool";

type From = pg.Pool | pg.ClientBase;

/** Held shared by whoever writes what a mapping has read, and alone by whoever changes one. Apart from the locks of claims. */
const LOCK = "(2::bigint << 40)";

/**
 * The mappings of these sources, by their IDs; those that have none are left out. Until the transaction in hand ends
 * no mapping changes, so that what it writes was read with the mapping that stands when it commits: a rebuild that
 * starts after a change meets no batch that was planned before it.
 */
export async function holdMappings(client: pg.ClientBase, sourceIds: string[]): Promise<Map<string, FieldMapping>> {
  await client.query({ name: "mappings-hold", text: `SELECT pg_advisory_xact_lock_shared(${LOCK})` });
  return findMappings(client, sourceIds);
}

/** The same without holding them: for what is read and not written. */
export async function findMappings(from: From, sourceIds: string[]): Promise<Map<string, FieldMapping>> {
  const { rows } = await from.query<Row>({
    name: "mappings-find",
    text: "SELECT source_id, mapping FROM field_mappings WHERE source_id = ANY($1::text[]) AND mapping <> '{}'",
    values: [sourceIds],
  });
  return mapOf(rows);
}

/** The mappings of all sources of a workspace. */
export async function listMappings(workspaceId: WorkspaceId, from: From = pool()): Promise<Map<string, FieldMapping>> {
  const { rows } = await from.query<Row>("SELECT source_id, mapping FROM field_mappings WHERE workspace_id = $1 AND mapping <> '{}'", [
    workspaceId,
  ]);
  return mapOf(rows);
}

/** The sources of a workspace that have or had a mapping. */
export async function listMappedSources(workspaceId: WorkspaceId, from: From): Promise<Set<string>> {
  const { rows } = await from.query<{ id: string }>("SELECT source_id AS id FROM field_mappings WHERE workspace_id = $1", [workspaceId]);
  return new Set(rows.map(({ id }) => id));
}

type Row = { source_id: string; mapping: FieldMapping };
const mapOf = (rows: Row[]) => new Map(rows.map(({ source_id, mapping }) => [source_id, mapping]));

/** A source with its mapping. */
export type MappedSource = { id: SourceId; name: string; mapping: FieldMapping; changedAt: Date | null; changedBy: string | null };

/** One source with its mapping; null when the workspace has none of that ID. */
export async function findMappedSource(workspaceId: WorkspaceId, sourceId: SourceId, from: From = pool()): Promise<MappedSource | null> {
  const { rows } = await from.query<MappedSource>(
    `SELECT s.id, s.name, coalesce(m.mapping, '{}') AS mapping, m.changed_at AS "changedAt", m.changed_by AS "changedBy"
     FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id WHERE s.workspace_id = $1 AND s.id = $2`,
    [workspaceId, sourceId],
  );
  return rows[0] ?? null;
}

/** Waits for what is being written under the mappings of now; in the transaction that changes one. */
export async function lockMappings(client: pg.PoolClient): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

/** Replaces a source's mapping. */
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

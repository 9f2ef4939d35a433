import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { queryRow, queryRows } from "#lib/db/rows";
import { readingOfStored, type SourceReading, type StoredReading } from "#lib/platform/read-event";
import type { Scheme } from "#lib/platform/schemes/scheme";
import { schemeOf } from "#lib/platform/schemes/templates";

type From = pg.Pool | pg.ClientBase;

/** Shared for writers of events as read, exclusive for a change of readings. Separate from the locks of claims. */
const LOCK = "(2::bigint << 40)";

const ALL_READINGS = `SELECT s.id, s.name, s.template, s.records, s.record, s.reading, coalesce(m.mapping, '{}') AS mapping
  FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id`;

/** Only sources whose reading differs from the platform's default. */
const READINGS = `${ALL_READINGS}
  WHERE (s.template <> 'platform' OR s.records <> 'platform' OR s.reading IS NOT NULL OR m.mapping <> '{}')`;

/**
 * Returns the readings that differ from the platform's. None changes until the transaction ends, so that its writes match them at its
 * commit: a rebuild that starts after a change meets no batch planned before it.
 */
export async function holdReadings(client: pg.ClientBase, sourceIds: string[]): Promise<Map<string, SourceReading>> {
  await keepReadings(client);
  return findReadings(client, sourceIds);
}

/** Keeps all readings unchanged until the transaction ends; call it before rows are locked. */
export async function keepReadings(client: pg.ClientBase): Promise<void> {
  await client.query({ name: "readings-hold", text: `SELECT pg_advisory_xact_lock_shared(${LOCK})` });
}

/** Returns readings without holding them: for reads, or if they are held already. */
export async function findReadings(from: From, sourceIds: string[]): Promise<Map<string, SourceReading>> {
  const { rows } = await from.query<ReadingRow>({
    name: "readings-find",
    text: `${READINGS} AND s.id = ANY($1::text[])`,
    values: [sourceIds],
  });
  return mapOf(rows);
}

/** Returns the readings of the sources with these names, the platform's default included. */
export async function findReadingsByName(
  workspaceId: WorkspaceId,
  names: string[],
): Promise<{ id: string; name: string; reading: SourceReading }[]> {
  const { rows } = await pool().query<ReadingRow>({
    name: "readings-by-name",
    text: `${ALL_READINGS} WHERE s.workspace_id = $1 AND s.name = ANY($2::text[])`,
    values: [workspaceId, names],
  });
  return rows.map((row) => ({ id: row.id, name: row.name, reading: readingOfStored(row) }));
}

export type SourceScheme = { template: SourceTemplateName; settings: SchemeSettings; scheme: Scheme };

export async function findSchemes(from: From, sourceIds: string[]): Promise<Map<string, SourceScheme>> {
  const { rows } = await from.query<{ id: string; template: SourceTemplateName; settings: SchemeSettings }>(
    "SELECT id, template, scheme AS settings FROM sources WHERE template <> 'platform' AND id = ANY($1::text[])",
    [sourceIds],
  );
  return new Map(rows.map(({ id, template, settings }) => [id, { template, settings, scheme: schemeOf(template, settings) }]));
}

export async function listReadings(workspaceId: WorkspaceId, from: From = pool()): Promise<Map<string, SourceReading>> {
  const { rows } = await from.query<ReadingRow>(`${READINGS} AND s.workspace_id = $1`, [workspaceId]);
  return mapOf(rows);
}

/** Waits for writes under the present readings; call it in the transaction that changes one. */
export async function lockReadings(client: pg.PoolClient): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

type ReadingRow = StoredReading & { id: string };

const mapOf = (rows: ReadingRow[]) => new Map(rows.map((row) => [row.id, readingOfStored(row)]));

/** Includes sources whose mapping was removed. */
export async function listMappedSources(workspaceId: WorkspaceId, from: Connection): Promise<Set<string>> {
  const rows = await prisma(from).fieldMapping.findMany({ where: { workspaceId }, select: { sourceId: true } });
  return new Set(rows.map(({ sourceId }) => sourceId));
}

export type MappedSource = { id: SourceId; name: string; mapping: FieldMapping; changedAt: Date | null; changedBy: string | null };

export const findMappedSource = (workspaceId: WorkspaceId, sourceId: SourceId, from: Connection = pool()): Promise<MappedSource | null> =>
  queryRow<MappedSource>(
    from,
    `SELECT s.id, s.name, coalesce(m.mapping, '{}') AS mapping, m.changed_at AS "changedAt", m.changed_by AS "changedBy"
     FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id WHERE s.workspace_id = $1 AND s.id = $2`,
    [workspaceId, sourceId],
  );

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

/** Digest of everything that identifies a workspace's sources: secrets and whether they verify, scheme, reading, mapping. */
type KnownVersion = { workspaceId: WorkspaceId; sourceIds: SourceId[]; version: string };

/** Tells secrets apart by their IDs: none is opened. */
export const listKnownVersions = (): Promise<KnownVersion[]> =>
  queryRows<KnownVersion>(
    pool("worker"),
    `SELECT s.workspace_id AS "workspaceId", array_agg(s.id ORDER BY s.id) AS "sourceIds",
            md5(string_agg(concat_ws(' ', s.id, s.template, s.scheme, s.reading, s.records, m.mapping, x.secrets), ';' ORDER BY s.id)) AS version
       FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id
       LEFT JOIN LATERAL (SELECT string_agg(x.id || ' ' || (x.valid_until IS NULL OR x.valid_until > now()), ',' ORDER BY x.id) AS secrets
                            FROM source_secrets x WHERE x.source_id = s.id) x ON true
      GROUP BY s.workspace_id`,
  );

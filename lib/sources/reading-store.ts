import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { pool } from "#lib/db/pool";
import { readingOfStored, type SourceReading, type StoredReading } from "#lib/platform/reading/source-reading";
import type { Scheme } from "#lib/platform/schemes/scheme";
import { schemeOf } from "#lib/platform/schemes/templates";

type From = pg.Pool | pg.ClientBase;

/** Shared for writers of events as read, exclusive for a change of readings. Separate from the locks of claims. */
const LOCK = "(2::bigint << 40)";

/** Only sources whose reading differs from the platform's default. */
const READINGS = `SELECT s.id, s.name, s.template, s.records, s.record, s.reading, coalesce(m.mapping, '{}') AS mapping
  FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id
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

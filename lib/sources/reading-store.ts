import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { pool } from "#lib/db/pool";
import { readingOfStored, type SourceReading, type StoredReading } from "#lib/platform/reading/source-reading";
import type { Scheme } from "#lib/platform/schemes/scheme";
import { schemeOf } from "#lib/platform/schemes/templates";

type From = pg.Pool | pg.ClientBase;

/** Held shared by whoever writes what a reading has read, and alone by whoever changes one. Apart from the locks of claims. */
const LOCK = "(2::bigint << 40)";

/** Only sources that are read in another way than the platform's own without a mapping and a reading. */
const READINGS = `SELECT s.id, s.name, s.template, s.records, s.record, s.reading, coalesce(m.mapping, '{}') AS mapping
  FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id
  WHERE (s.template <> 'platform' OR s.records <> 'platform' OR s.reading IS NOT NULL OR m.mapping <> '{}')`;

/**
 * Returns how the events of these sources are read, by their IDs; those that are read as the platform's are left out. Until the
 * transaction in hand ends none of it changes, so that what it writes was read as it stands when it commits: a rebuild
 * that starts after a change meets no batch that was planned before it.
 */
export async function holdReadings(client: pg.ClientBase, sourceIds: string[]): Promise<Map<string, SourceReading>> {
  await keepReadings(client);
  return findReadings(client, sourceIds);
}

/** Keeps all readings as they are until the transaction in hand ends; before it locks rows. */
export async function keepReadings(client: pg.ClientBase): Promise<void> {
  await client.query({ name: "readings-hold", text: `SELECT pg_advisory_xact_lock_shared(${LOCK})` });
}

/** The same without holding them: for what is read and not written, or where they are kept already. */
export async function findReadings(from: From, sourceIds: string[]): Promise<Map<string, SourceReading>> {
  const { rows } = await from.query<ReadingRow>({
    name: "readings-find",
    text: `${READINGS} AND s.id = ANY($1::text[])`,
    values: [sourceIds],
  });
  return mapOf(rows);
}

/** Scheme of a sender that isn't the platform. */
export type SourceScheme = { template: SourceTemplateName; settings: SchemeSettings; scheme: Scheme };

/** Returns how the senders of these sources sign, by the sources' IDs; those that sign as the platform does are left out. */
export async function findSchemes(from: From, sourceIds: string[]): Promise<Map<string, SourceScheme>> {
  const { rows } = await from.query<{ id: string; template: SourceTemplateName; settings: SchemeSettings }>(
    "SELECT id, template, scheme AS settings FROM sources WHERE template <> 'platform' AND id = ANY($1::text[])",
    [sourceIds],
  );
  return new Map(rows.map(({ id, template, settings }) => [id, { template, settings, scheme: schemeOf(template, settings) }]));
}

/** Returns how the events of all sources of a workspace are read. */
export async function listReadings(workspaceId: WorkspaceId, from: From = pool()): Promise<Map<string, SourceReading>> {
  const { rows } = await from.query<ReadingRow>(`${READINGS} AND s.workspace_id = $1`, [workspaceId]);
  return mapOf(rows);
}

/** Waits for what is being written under the readings of now; in the transaction that changes one. */
export async function lockReadings(client: pg.PoolClient): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

type ReadingRow = StoredReading & { id: string };

const mapOf = (rows: ReadingRow[]) => new Map(rows.map((row) => [row.id, readingOfStored(row)]));

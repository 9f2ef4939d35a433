import type pg from "pg";
import { AppError } from "#lib/contracts/api/app-error";
import { newId, type SourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { EventReading, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { lockCount } from "#lib/db/count-lock";

/** Settings of a source about its sender. */
export type SourceSettings = {
  template: SourceTemplateName;
  scheme: SchemeSettings;
  reading: EventReading | null;
  records: SourceRecords;
  record: RecordSettings | null;
  archivedAt: Date | null;
  /** Since then what verifies is held. */
  pausedAt: Date | null;
  /** For how many days its events are kept, where that is shorter than the workspace's; null: as long as the workspace's. */
  retentionDays: number | null;
  /** Whether what arrives after its time limit is kept, where its sender signs the ID. */
  keepLate: boolean;
};

/** Every source has a limiter, a cache entry and a line in every list of sources. */
export const MAX_SOURCES = 100;

/**
 * Lets one transaction at a time count a workspace's sources, and change their number.
 *
 * @throws AppError `conflict` where the workspace has as many sources as it may have
 */
export async function assertRoom(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
  await lockCount(client, "sources", workspaceId);
  const { rows: counted } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM sources WHERE workspace_id = $1 AND archived_at IS NULL",
    [workspaceId],
  );
  if ((counted[0]?.count ?? 0) >= MAX_SOURCES)
    throw new AppError("conflict", `A workspace has at most ${MAX_SOURCES} sources. Archive one that you no longer need.`);
}

/**
 * Makes a source without a secret.
 *
 * @throws AppError `conflict` for a name that is taken, in whatever workspace, and beyond `MAX_SOURCES`
 */
export async function insertSource(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  name: string,
  { template, scheme, reading, records, record }: Omit<SourceSettings, "archivedAt" | "pausedAt" | "retentionDays" | "keepLate">,
): Promise<SourceId> {
  await assertRoom(client, workspaceId);
  const { rows } = await client.query<{ id: SourceId }>(
    `INSERT INTO sources (id, workspace_id, name, template, scheme, reading, records, record) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (name) DO NOTHING RETURNING id`,
    [
      newId("src"),
      workspaceId,
      name,
      template,
      JSON.stringify(scheme),
      reading && JSON.stringify(reading),
      records,
      record && JSON.stringify(record),
    ],
  );
  if (!rows[0]) {
    const message = `/webhooks/${name} is taken. Choose another name.`;
    throw new AppError("conflict", message, { errors: [{ path: "name", message }] });
  }
  return rows[0].id;
}

/** A source's settings, locked until the transaction ends; null when the workspace has none of that ID. */
export async function lockSourceSettings(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
): Promise<(SourceSettings & { name: string }) | null> {
  const { rows } = await client.query<SourceSettings & { name: string }>(
    `SELECT name, template, scheme, reading, records, record, archived_at AS "archivedAt", paused_at AS "pausedAt", retention_days AS "retentionDays", keep_late AS "keepLate" FROM sources
     WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, sourceId],
  );
  return rows[0] ?? null;
}

/** Writes a source's settings, as `lockSourceSettings` read them but for what was changed. */
export async function updateSourceSettings(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { template, scheme, reading, records, record, archivedAt, pausedAt, retentionDays, keepLate }: SourceSettings,
): Promise<void> {
  await client.query(
    `UPDATE sources SET template = $3, scheme = $4, reading = $5, records = $6, record = $7, archived_at = $8, paused_at = $9, retention_days = $10, keep_late = $11
      WHERE workspace_id = $1 AND id = $2`,
    [
      workspaceId,
      sourceId,
      template,
      JSON.stringify(scheme),
      reading && JSON.stringify(reading),
      records,
      record && JSON.stringify(record),
      archivedAt,
      pausedAt,
      retentionDays,
      keepLate,
    ],
  );
}

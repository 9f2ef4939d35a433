import type pg from "pg";
import { AppError } from "#lib/contracts/api/app-error";
import { newId, type SourceId, sourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { EventReading, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { lockCount } from "#lib/db/count-lock";
import { Prisma } from "#lib/db/generated/client";
import { prisma } from "#lib/db/prisma";

export type SourceSettings = {
  template: SourceTemplateName;
  scheme: SchemeSettings;
  reading: EventReading | null;
  records: SourceRecords;
  record: RecordSettings | null;
  archivedAt: Date | null;
  pausedAt: Date | null;
  retentionDays: number | null;
  keepLate: boolean;
};

/** Every source has a limiter, a cache entry and a line in every list of sources. */
export const MAX_SOURCES = 100;

/** Locks the number of a workspace's sources for one transaction at a time. Throws `conflict` at `MAX_SOURCES`. */
export async function assertRoom(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
  await lockCount(client, "sources", workspaceId);
  if ((await prisma(client).source.count({ where: { workspaceId, archivedAt: null } })) >= MAX_SOURCES)
    throw new AppError("conflict", `A workspace has at most ${MAX_SOURCES} sources. Archive one that you no longer need.`);
}

/** Creates a source without a secret. Throws `conflict` for a name taken in any workspace, and at `MAX_SOURCES`. */
export async function insertSource(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  name: string,
  { template, scheme, reading, records, record }: Omit<SourceSettings, "archivedAt" | "pausedAt" | "retentionDays" | "keepLate">,
): Promise<SourceId> {
  await assertRoom(client, workspaceId);
  const id = sourceId.parse(newId("src"));
  const settings = { template, scheme, reading: reading ?? Prisma.DbNull, records, record: record ?? Prisma.DbNull };
  const { count } = await prisma(client).source.createMany({ data: { id, workspaceId, name, ...settings }, skipDuplicates: true });
  if (count === 0) {
    const message = `/webhooks/${name} is taken. Choose another name.`;
    throw new AppError("conflict", message, { errors: [{ path: "name", message }] });
  }
  return id;
}

/** Locks until the transaction ends; null if the workspace has no such source. */
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

export async function updateSourceSettings(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { template, scheme, reading, records, record, archivedAt, pausedAt, retentionDays, keepLate }: SourceSettings,
): Promise<void> {
  await prisma(client).source.updateMany({
    where: { id: sourceId, workspaceId },
    data: {
      ...{ template, scheme, records, archivedAt, pausedAt, retentionDays, keepLate },
      reading: reading ?? Prisma.DbNull,
      record: record ?? Prisma.DbNull,
    },
  });
}

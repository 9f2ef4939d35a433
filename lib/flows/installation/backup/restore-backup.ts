import type pg from "pg";
import { listWorkspaces } from "#lib/auth/members/workspace-store";
import { analyze, listApplied, listTables, loadBackup, onBackupConnection, requireNoRows } from "#lib/backup/copy-store";
import { BackupError, type BackupHead, type BackupManifest } from "#lib/backup/format/backup-file";
import { readBackup } from "#lib/backup/format/read-backup";
import type { RebuildReport } from "#lib/contracts/views";
import { COMMIT_OF_EARLIER, foldEarlier } from "#lib/db/baseline";
import { raiseClockOfRecovered } from "#lib/db/log-maintenance";
import { listKnownMigrations, migrate } from "#lib/db/migrate";
import { refileAll } from "#lib/events/search/index-store";
import { rebuildViews } from "#lib/flows/views/rebuild-views";
import { logger } from "#lib/observability/logger";
import { stopAll } from "#lib/operations/operation-store";
import { checkBackup } from "./make-backup.ts";

export type RestoreProgress = { phase: "verifying" | "loading" | "indexes" | "checking" | "comparing"; done: number; total: number };

type RestoreOptions = { signal: AbortSignal; onProgress: (progress: RestoreProgress) => void };

/**
 * Reads a whole backup before anything is changed, and sees that this version can restore it.
 *
 * @throws BackupError when it is no whole backup, of a newer version, or older than 1.0.0
 */
export async function examineBackup(file: string, options: RestoreOptions): Promise<{ head: BackupHead; manifest: BackupManifest }> {
  let done = 0;
  const onRows = (rows: number) => {
    done += rows;
    options.onProgress({ phase: "verifying", done, total: 0 });
  };
  const examined = await checkBackup(file, onRows, options.signal);
  const folded = foldEarlier(examined.head.migrations);
  if (folded.outcome === "partial")
    throw new BackupError(
      `This backup was made by a version before 1.0.0 (its newest migration is ${folded.newest}). Nothing was changed.\nRestore it with the version of the commit ${COMMIT_OF_EARLIER} and start that version once, then start this one on the same database.`,
    );
  const known = new Set(listKnownMigrations());
  const unknown = folded.names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new BackupError(
      `This backup was made by a newer version of Signalbox (${examined.head.version}, with the migration ${unknown.join(", ")}). Nothing was changed. Update Signalbox, then restore it.`,
    );
  return { ...examined, head: { ...examined.head, migrations: folded.names } };
}

const OF_BACKUP = "It was running when the backup was made that this database was restored from. Resume it if it is still needed.";

/** Restores into an empty database: the schema of the backup, all rows in one transaction, then the migrations since. Stopped or failed
 * before the commit, it leaves no row. @throws BackupError when the database is not empty */
export async function restoreBackup(
  databaseUrl: string,
  file: string,
  { head, manifest }: { head: BackupHead; manifest: BackupManifest },
  { signal, onProgress }: RestoreOptions,
): Promise<void> {
  await onBackupConnection(databaseUrl, signal, (client) => requireEmpty(client, head));
  await migrate(databaseUrl, undefined, new Set(head.migrations));
  await onBackupConnection(databaseUrl, signal, async (client, beforeCommit) => {
    let done = 0;
    const onRows = (rows: number) => {
      done += rows;
      onProgress({ phase: "loading", done, total: manifest.rows });
    };
    const onPhase = (phase: "indexes" | "checking") => onProgress({ phase, done, total: manifest.rows });
    await loadBackup(client, readBackup(file), { head, onRows, onPhase, complete: refileAll, beforeCommit });
  });
  await migrate(databaseUrl);
  await onBackupConnection(databaseUrl, new AbortController().signal, (client) => stopAll(client, OF_BACKUP));
  await makeStatistics(databaseUrl, signal);
}

/** Adopts a database that the server brought back to an earlier moment: the log's clock is raised above every cursor handed out since. */
export async function adoptDatabase(databaseUrl: string, signal: AbortSignal): Promise<void> {
  await migrate(databaseUrl);
  await onBackupConnection(databaseUrl, signal, async (client) => {
    await raiseClockOfRecovered(client);
    await stopAll(client, OF_BACKUP);
  });
}

/** Never fails: everything is restored by now. */
async function makeStatistics(databaseUrl: string, signal: AbortSignal): Promise<void> {
  try {
    await onBackupConnection(databaseUrl, signal, (client) => analyze(client));
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "restored, but ANALYZE did not finish; autovacuum makes up for it");
  }
}

async function requireEmpty(client: pg.Client, head: BackupHead): Promise<void> {
  const applied = await listApplied(client);
  const tables = await listTables(client);
  if (applied === null && tables.length > 0)
    throw new BackupError("This database contains tables of another program. Nothing was changed. Restore into an empty database.");
  if (applied === null) return;
  await requireNoRows(client);
  if (applied.some((name) => !head.migrations.includes(name)))
    throw new BackupError(
      "This database is empty, but has a newer schema than the backup. Nothing was changed. Drop it and create it again: restore creates the schema itself.",
    );
}

/** Returns what a rebuild of every workspace would change. It is no operation: one that the backup holds would be in its way. */
export async function compareRestored({ signal, onProgress }: RestoreOptions): Promise<{ name: string; report: RebuildReport | null }[]> {
  const compared: { name: string; report: RebuildReport | null }[] = [];
  for (const { id, name } of await listWorkspaces()) {
    const result = await rebuildViews(id, {
      dryRun: true,
      rest: 0,
      signal,
      onProgress: ({ done, total }) => onProgress({ phase: "comparing", done, total }),
    });
    compared.push({ name, report: result.outcome === "finished" ? result.report : null });
  }
  return compared;
}

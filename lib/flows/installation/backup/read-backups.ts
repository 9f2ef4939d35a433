import type { Audit } from "#lib/auth/audit/audit";
import { findLastGood, insertBackup, listBackups, requestStop } from "#lib/backup/run-store";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { Backup, BackupList, BackupStatus } from "#lib/contracts/backups";

const HOUR_MS = 3_600_000;
/** One may fail and be made up for before anybody is called. */
const OVERDUE_AFTER = 2;

/** The schedule, and how old the last good backup is. `ageSeconds` counts from the set-up while there is none. */
export async function readBackupStatus(): Promise<BackupStatus & { ageSeconds: number }> {
  const { backup } = env();
  const { lastGoodAt, ageSeconds } = await findLastGood();
  return {
    schedule: backup && { everyHours: Math.round(backup.everyMs / HOUR_MS), keep: backup.keep },
    lastGoodAt: lastGoodAt?.toISOString() ?? null,
    overdue: backup !== null && ageSeconds * 1000 > OVERDUE_AFTER * backup.everyMs,
    ageSeconds,
  };
}

/** The latest backups with the schedule. */
export async function readBackups(): Promise<BackupList> {
  const [data, { ageSeconds: _, ...status }] = await Promise.all([listBackups(), readBackupStatus()]);
  return { data, nextCursor: null, status };
}

/**
 * Asks the workers for a backup now.
 *
 * @throws AppError `conflict` while BACKUP_DIR is not set
 */
export async function requestBackup(audit: Audit): Promise<{ outcome: "started" | "busy"; backup: Backup }> {
  if (env().backup === null)
    throw new AppError("conflict", "BACKUP_DIR is not set, so workers have nowhere to write to. Set it, or run: npm run backup -- FILE");
  const asked = await insertBackup();
  if (asked.outcome === "busy") audit.unchanged();
  else await audit.record({ action: "backup.started", target: { kind: "backup", id: asked.backup.id } });
  return asked;
}

/** Stops the backup that waits or runs; nothing is left of it. */
export async function stopBackup(audit: Audit): Promise<void> {
  const id = await requestStop();
  if (id === null) audit.unchanged();
  else await audit.record({ action: "backup.stopped", target: { kind: "backup", id } });
}

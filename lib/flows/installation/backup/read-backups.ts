import type { Audit } from "#lib/auth/audit/audit";
import { findLastGood, insertBackup, listBackups, requestStop } from "#lib/backup/backup-store";
import { findLastProof } from "#lib/backup/proof-store";
import { env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { formatStoreUrl } from "#lib/config/setting-formats";
import { AppError } from "#lib/contracts/api/app-error";
import type { Backup, BackupList, BackupStatus } from "#lib/contracts/backups";

const HOUR_MS = 3_600_000;
/** One backup may fail and be made up for before an alert. */
const OVERDUE_AFTER = 2;

/** `ageSeconds` counts from the set-up while there is no good backup. */
export async function readBackupStatus(): Promise<Omit<BackupStatus, "proof"> & { ageSeconds: number; storedAgeSeconds: number }> {
  const { backup } = env();
  const store = backup?.store ? formatStoreUrl(backup.store) : null;
  const { lastGoodAt, ageSeconds, storedAgeSeconds, missing } = await findLastGood(store, backup?.keep ?? 0);
  const isOld = (seconds: number) => backup !== null && seconds * 1000 > OVERDUE_AFTER * backup.everyMs;
  return {
    schedule: backup && { everyHours: Math.round(backup.everyMs / HOUR_MS), keep: backup.keep },
    lastGoodAt: lastGoodAt?.toISOString() ?? null,
    overdue: isOld(ageSeconds),
    missing,
    storeOverdue: isOld(storedAgeSeconds),
    ageSeconds,
    storedAgeSeconds,
  };
}

/** Returns null while proofs are off. `ageSeconds` counts from the first stored backup while none was good. */
export async function readProofStatus(): Promise<(NonNullable<BackupStatus["proof"]> & { ageSeconds: number }) | null> {
  const everyMs = env().backup?.proveEveryMs ?? 0;
  if (everyMs === 0) return null;
  const { provedAt, file, failure, ageSeconds } = await findLastProof();
  return { everyHours: Math.round(everyMs / HOUR_MS), provedAt: provedAt?.toISOString() ?? null, file, failure, ageSeconds };
}

export async function readBackups(): Promise<BackupList> {
  const [data, { ageSeconds: _, storedAgeSeconds: __, ...status }, found] = await Promise.all([
    listBackups(),
    readBackupStatus(),
    readProofStatus(),
  ]);
  const proof = found && { everyHours: found.everyHours, provedAt: found.provedAt, file: found.file, failure: found.failure };
  return { data, nextCursor: null, status: { ...status, proof } };
}

/** @throws AppError `conflict` while neither BACKUP_DIR nor BACKUP_S3_URL is set */
export async function requestBackup(audit: Audit): Promise<{ outcome: "started" | "busy"; backup: Backup }> {
  if (env().backup === null)
    throw new AppError(
      "conflict",
      `Neither BACKUP_DIR nor BACKUP_S3_URL is set, so workers have nowhere to write backups. Set one, or run: ${ownCommand("backup", "FILE")}`,
    );
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

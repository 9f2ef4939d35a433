import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holds, placeOf, removeBackup } from "#lib/backup/backup-folder";
import { BackupError } from "#lib/backup/format/backup-file";
import { beatBackup, claimBackup, failSilent, finishBackup, listSurplusFiles, markDeleted } from "#lib/backup/run-store";
import { env } from "#lib/config/env";
import { firstLineOf } from "#lib/db/first-line";
import { ROOT } from "#lib/installation/process-environment";
import { logger } from "#lib/observability/logger";
import { type BackupProgress, makeBackup } from "./make-backup.ts";

const LOOK_MS = 2000;
const BEAT_MS = 1000;

/** Interval of removing files left by killed workers, also done at the start and after each backup. Milliseconds. */
const CLEAN_MS = 30 * 60_000;

/** Makes the backups that are due or asked for, one at a time in the whole installation, until the signal aborts. */
export async function runBackups(signal: AbortSignal): Promise<void> {
  const runner = randomUUID();
  let cleanedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    if (performance.now() - cleanedAt > CLEAN_MS) {
      cleanedAt = performance.now();
      await deleteSurplus().catch((error: Error) =>
        logger().warn({ reason: error.message }, "can't look after BACKUP_DIR; trying again later"),
      );
    }
    if (!(await runNextBackup(runner, signal))) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** @returns false when none is due, or another worker is at it */
export async function runNextBackup(runner: string, signal: AbortSignal): Promise<boolean> {
  const schedule = env().backup;
  if (!schedule) return false;
  const file = fileName();
  const folder = path.resolve(ROOT, schedule.dir);
  // A folder that can't be written fails the backup, in words.
  const claimed = await claimBackup(runner, schedule.everyMs, { file, place: await placeOf(folder).catch(() => null) });
  if (!claimed) return false;
  await runOne(claimed.id, runner, path.join(folder, file), signal);
  await deleteSurplus();
  return true;
}

/** Nobody else's file may have the name: what a failed run leaves under it is deleted. */
function fileName(): string {
  const at = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  return `signalbox-${at}Z-${randomUUID().slice(0, 8)}.backup`;
}

async function runOne(id: string, runner: string, file: string, outer: AbortSignal): Promise<void> {
  const abort = new AbortController();
  const signal = AbortSignal.any([outer, abort.signal]);
  let progress: BackupProgress = { phase: "copying", done: 0, total: 0 };
  const pulse = setInterval(() => {
    beatBackup(id, runner, progress)
      .then((goOn) => goOn || abort.abort())
      .catch(() => undefined); // the database is unavailable: the backup's own connection will fail
  }, BEAT_MS);
  const onProgress = (latest: BackupProgress) => {
    progress = latest;
  };
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const { manifest, fileBytes } = await makeBackup(file, { signal, onProgress });
    const events = manifest.tables.find(({ name }) => name === "events")?.rows ?? 0;
    await finishBackup(id, runner, { outcome: "done", events, fileBytes });
    logger().info({ file, fileBytes, events }, "backup finished");
  } catch (error) {
    if (signal.aborted) return await finishBackup(id, runner, { outcome: "stopped" });
    logger().error({ reason: (error as Error).message }, "a backup failed");
    await finishBackup(id, runner, { outcome: "failed", failure: wordsOf(error) });
  } finally {
    clearInterval(pulse);
  }
}

/** The folder of the server is no business of the page's readers. */
function wordsOf(error: unknown): string {
  const { backup } = env();
  const words = firstLineOf(error).replaceAll(path.resolve(ROOT, backup?.dir ?? "."), "BACKUP_DIR");
  return error instanceof BackupError || isFileError(error) ? words : `It failed: ${words}. It is tried again within the hour.`;
}

const isFileError = (error: unknown) => (error as NodeJS.ErrnoException).syscall !== undefined;

/**
 * Deletes what is too much or unfinished in this worker's BACKUP_DIR. Only files that this installation has a row of: others
 * may be what it was restored from, or another's. What an earlier version wrote may be in another worker's folder, and
 * is noted as deleted by the worker that finds it.
 */
export async function deleteSurplus(): Promise<void> {
  const { backup } = env();
  if (!backup) return;
  const folder = path.resolve(ROOT, backup.dir);
  const place = await placeOf(folder).catch(() => null);
  if (place === null) return;
  await failSilent();
  const gone: string[] = [];
  for (const { file, isHere } of await listSurplusFiles(place, backup.keep))
    if ((isHere || (await holds(folder, file))) && (await removeBackup(folder, file))) gone.push(file);
  await markDeleted(gone);
}

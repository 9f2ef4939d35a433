import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  beatBackup,
  type ClaimedBackup,
  claimBackup,
  failSilent,
  finishBackup,
  listExpected,
  listSurplusFiles,
  listSurplusObjects,
  markDeleted,
  markMissing,
  markSeen,
  markUnstored,
  markWritten,
  ONLY_THE_FILE,
  type Written,
} from "#lib/backup/backup-store";
import { BackupError } from "#lib/backup/format/backup-file";
import { STORE_LIMITS, type StoreLimits, withObjectStore } from "#lib/backup/object-store";
import { type BackupSettings, type BackupStore, env } from "#lib/config/env";
import { formatStoreUrl } from "#lib/config/setting-formats";
import { asSentence } from "#lib/contracts/as-sentence";
import { firstLineOf } from "#lib/db/unavailable";
import { logger } from "#lib/observability/logger";
import { systemClock } from "#lib/time/clock";
import { startPulse } from "#lib/time/waits";
import { type BackupProgress, fileName, folderOf, makeBackup, storeBackup, withoutFolders } from "./make-backup.ts";

const LOOK_MS = 2000;
const BEAT_MS = 1000;

/** Interval of deleting what killed workers left, also done at the start and after each backup. */
const CLEAN_MS = 30 * 60_000;
const PRESENCE_MS = 60_000;

/** Makes due and requested backups, one at a time in the whole installation, until the signal aborts. */
export async function runBackups(signal: AbortSignal): Promise<void> {
  const runner = randomUUID();
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    if (performance.now() - lookedAt > PRESENCE_MS) {
      lookedAt = performance.now();
      await lookForFiles();
    }
    if (performance.now() - cleanedAt > CLEAN_MS) {
      cleanedAt = performance.now();
      await deleteSurplus().catch((error: Error) =>
        logger().warn({ reason: error.message }, "can't look after old backups; trying again later"),
      );
    }
    if (!(await runNextBackup(runner, signal))) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns false when none is due, or another worker does it. */
export async function runNextBackup(runner: string, signal: AbortSignal, limits = STORE_LIMITS): Promise<boolean> {
  const settings = env().backup;
  if (!settings) return false;
  const now = new Date(systemClock.now());
  const file = fileName(now);
  const { folder } = folderOf(settings);
  // A folder that can't be written fails the backup itself, with a message.
  const place = await placeOf(folder).catch(() => null);
  const store = settings.store && formatStoreUrl(settings.store);
  const claimed = await claimBackup(runner, settings.everyMs, { file, place, store });
  if (!claimed) return false;
  await runOne({ ...claimed, now, runner, file: path.join(folder, claimed.file), settings, limits }, signal);
  await deleteSurplus(limits);
  return true;
}

type Run = ClaimedBackup & { now: Date; runner: string; settings: BackupSettings; limits: StoreLimits };

async function runOne({ id, now, runner, file, settings, limits, ...claimed }: Run, outer: AbortSignal): Promise<void> {
  const isKept = settings.dir !== null;
  let { written } = claimed;
  let progress: BackupProgress = { phase: "copying", done: 0, total: 0 };
  const pulse = startPulse(() => beatBackup(id, runner, progress), outer, BEAT_MS);
  const { signal } = pulse;
  const onProgress = (latest: BackupProgress) => {
    progress = latest;
  };
  try {
    written ??= await write(file, { now, signal, onProgress });
    if (isKept) await markWritten(id, runner, written);
    if (settings.store) await storeBackup(settings.store, file, { signal, onProgress, limits });
    await finishBackup(id, runner, { outcome: "done", written, failure: null });
    logger().info({ file, ...written }, "backup finished");
  } catch (error) {
    if (!signal.aborted) logger().error({ reason: (error as Error).message }, written ? "a backup could not be stored" : "a backup failed");
    const words = signal.aborted ? "It was stopped." : wordsOf(error, settings);
    if (written && isKept) return await finishBackup(id, runner, { outcome: "done", written, failure: `${ONLY_THE_FILE}${words}` });
    if (written) await rm(file, { force: true }).catch(() => undefined);
    await finishBackup(id, runner, signal.aborted ? { outcome: "stopped" } : { outcome: "failed", failure: words });
  } finally {
    pulse.end();
  }
}

async function write(file: string, options: Parameters<typeof makeBackup>[1]): Promise<Written> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const { manifest, fileBytes } = await makeBackup(file, options);
  return { events: manifest.tables.find(({ name }) => name === "events")?.rows ?? 0, fileBytes };
}

function wordsOf(error: unknown, settings: BackupSettings): string {
  const words = withoutFolders(firstLineOf(error), settings);
  return error instanceof BackupError || isFileError(error)
    ? words
    : `${asSentence(`It failed: ${words}`)} Signalbox tries again within an hour.`;
}

const isFileError = (error: unknown) => (error as NodeJS.ErrnoException).syscall !== undefined;

/** Notes which files of good backups exist. A folder is known by its mark, so an empty volume isn't taken for yesterday's. Never fails. */
export async function lookForFiles(): Promise<void> {
  const { backup } = env();
  if (!backup?.dir) return;
  const { folder } = folderOf(backup);
  try {
    const place = await placeOf(folder).catch(() => "");
    await markSeen(place);
    const missing: string[] = [];
    for (const file of await listExpected(place)) if (!(await holds(folder, file))) missing.push(file);
    const lost = await markMissing(place, missing);
    if (lost > 0)
      logger().error({ folder, files: lost }, "backups are missing: their files are no longer in the folder that they were written to");
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't look whether backups are there; trying again in a minute");
  }
}

/** Deletes backups that are too many or unfinished, if this installation has a row of them: others may be what it was restored from.
 * A file in another worker's folder is noted as deleted by the worker that finds it. */
export async function deleteSurplus(limits = STORE_LIMITS): Promise<void> {
  const { backup } = env();
  if (!backup) return;
  await failSilent();
  await deleteFiles(folderOf(backup));
  if (backup.store) await deleteObjects(backup.store, backup.keep, limits);
}

async function deleteFiles({ folder, keep }: { folder: string; keep: number }): Promise<void> {
  const place = await placeOf(folder).catch(() => null);
  if (place === null) return;
  const gone: string[] = [];
  for (const { file, isHere } of await listSurplusFiles(place, keep))
    if ((isHere || (await holds(folder, file))) && (await removeBackup(folder, file))) gone.push(file);
  await markDeleted(gone);
}

/** Ignores a store that can't be reached: the next round tries again. */
async function deleteObjects(settings: BackupStore, keep: number, limits: StoreLimits): Promise<void> {
  const place = formatStoreUrl(settings);
  const surplus = await listSurplusObjects(place, keep);
  if (surplus.length === 0) return;
  try {
    await withObjectStore(settings, limits, async (store) => {
      for (const name of surplus) {
        await store.remove(name);
        await markUnstored(place, [name]);
      }
    });
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't delete old backups from the store; trying again later");
  }
}

/** Identifies the folder: workers that share it read the same mark, whatever path they use. */
const MARK = ".signalbox-backups";

/** Returns the identity of a backup folder, which is made if missing. @throws Error if it can't be read or written */
async function placeOf(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, MARK);
  try {
    writeFileSync(file, randomUUID(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const mark = readFileSync(file, "utf8");
  if (mark === "") throw new Error(`${file} is empty`); // another worker is just writing it
  return mark;
}

export async function holds(folder: string, name: string): Promise<boolean> {
  if (!isFileName(name)) return false;
  const found = await Promise.all([name, draftOf(name)].map((each) => stat(path.join(folder, each)).then(Boolean, () => false)));
  return found.includes(true);
}

/** Deletes the draft first, so that a slow worker can't rename it any more. @returns false to try again next round */
export async function removeBackup(folder: string, name: string): Promise<boolean> {
  if (!isFileName(name)) return false;
  try {
    await rm(path.join(folder, draftOf(name)), { force: true });
    await rm(path.join(folder, name), { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Rejects names that lead out of the folder: they may come from somebody else's restored backup. */
const isFileName = (name: string): boolean => name !== "." && name !== ".." && path.basename(name) === name;

const draftOf = (name: string) => `${name}.partial`;

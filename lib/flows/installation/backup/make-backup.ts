import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import {
  copyRows,
  estimateRows,
  findNewestPosition,
  inBackupSnapshot,
  listApplied,
  listKeyIds,
  listMonths,
  listSequences,
  onBackupConnection,
} from "#lib/backup/copy-store";
import { BackupError, type BackupHead, type BackupManifest, FORMAT } from "#lib/backup/format/backup-file";
import { readBackup } from "#lib/backup/format/read-backup";
import { writeBackup } from "#lib/backup/format/write-backup";
import { type StoreLimits, withObjectStore } from "#lib/backup/object-store";
import { storeSealed } from "#lib/backup/sealed-object";
import { type BackupSettings, type BackupStore, env } from "#lib/config/env";
import { dataDir, productVersion, ROOT } from "#lib/installation/process-environment";

export type BackupProgress = {
  phase: "copying" | "verifying" | "uploading" | "downloading";
  /** Rows so far and their estimate; bytes while it is sent to the store and read back. */
  done: number;
  total: number;
};

type BackupOptions = { now: Date; signal: AbortSignal; onProgress: (progress: BackupProgress) => void };

export type Backup = { head: BackupHead; manifest: BackupManifest; fileBytes: number };

/** Writes the database as of one moment, without vault keys, to a new file and verifies it. @throws BackupError; no file is left then */
export async function makeBackup(file: string, options: BackupOptions): Promise<Backup> {
  if (existsSync(file)) throw new BackupError(`${file} already exists. Choose another file, or move this one away.`);
  const written = await onBackupConnection(env().directUrl, options.signal, (client) =>
    inBackupSnapshot(client, async (tables) => {
      const head: BackupHead = {
        format: FORMAT,
        version: productVersion(),
        createdAt: options.now.toISOString(),
        migrations: (await listApplied(client)) ?? [],
        keyIds: await listKeyIds(client, tables),
        logPosition: await findNewestPosition(client),
        months: await listMonths(client),
        tables,
      };
      const count = counting("copying", await estimateRows(client), options);
      const content = {
        head,
        rowsOf: (table: BackupHead["tables"][number]) => copyRows(client, table),
        sequences: () => listSequences(client),
      };
      return { head, ...(await writeBackup(file, content, { signal: options.signal, onRows: (_, rows) => count(rows) })) };
    }),
  );
  try {
    await checkBackup(file, counting("verifying", written.manifest.rows, options), options.signal);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return written;
}

/** Reads a whole backup and checks all of its hashes. @throws BackupError */
export async function checkBackup(
  file: string,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<{ head: BackupHead; manifest: BackupManifest }> {
  let head: BackupHead | undefined;
  let manifest: BackupManifest | undefined;
  for await (const each of readBackup(file)) {
    signal.throwIfAborted();
    if (each.part === "head") head = each.head;
    if (each.part === "rows") onRows(each.rows);
    if (each.part === "manifest") manifest = each.manifest;
  }
  if (head && manifest) return { head, manifest };
  throw new Error("a backup without its manifest was read");
}

/** Adds up rows. The estimate may be too low: it grows with the count. */
function counting(phase: BackupProgress["phase"], total: number, { onProgress }: BackupOptions): (rows: number) => void {
  let done = 0;
  return (rows) => {
    done += rows;
    onProgress({ phase, done, total: Math.max(total, done) });
  };
}

/** Time for deleting the object of a failed backup; then it is left to the next clean-up. */
const REMOVE_MS = 10_000;

type StoreOptions = { signal: AbortSignal; onProgress: (progress: BackupProgress) => void; limits: StoreLimits };

/** Seals and stores a checked backup, and compares what the store gives back. On failure no object is left. @throws BackupError */
export async function storeBackup(settings: BackupStore, file: string, { signal, onProgress, limits }: StoreOptions): Promise<void> {
  const sealed = { file, installation: env().APP_URL };
  await withObjectStore(settings, limits, async (store) => {
    try {
      await storeSealed(store, settings.keys, sealed, { signal, onBytes: (phase, done, total) => onProgress({ phase, done, total }) });
    } catch (error) {
      await store.remove(path.basename(file), AbortSignal.timeout(REMOVE_MS)).catch(() => undefined);
      throw error;
    }
  });
}

/** Returns a name that no other run has: what a failed run leaves under it is deleted. */
export function fileName(now: Date): string {
  const at = now.toISOString().slice(0, 19).replaceAll(":", "-");
  return `signalbox-${at}Z-${randomUUID().slice(0, 8)}.backup`;
}

/** Returns where a backup is made that only goes to the store: on DATA_DIR's disk, because /tmp is memory on many machines. */
const draftFolder = (): string => path.join(dataDir(), "backup-drafts");

export const proofFolder = (): string => path.join(dataDir(), "backup-proofs");

export const folderOf = ({ dir, keep }: BackupSettings): { folder: string; keep: number } =>
  dir === null ? { folder: draftFolder(), keep: 0 } : { folder: path.resolve(ROOT, dir), keep };

/** Hides the server's folders, which are no business of the page's readers. */
export const withoutFolders = (text: string, { dir }: Pick<BackupSettings, "dir">): string =>
  (dir === null ? text : text.replaceAll(path.resolve(ROOT, dir), "BACKUP_DIR")).replaceAll(dataDir(), "DATA_DIR");

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { copyRows, inBackupSnapshot, listKeyIds, onBackupConnection } from "#lib/backup/copy-out-store";
import { BackupError, type BackupHead, type BackupManifest, FORMAT } from "#lib/backup/format/backup-file";
import { readBackup } from "#lib/backup/format/read-backup";
import { writeBackup } from "#lib/backup/format/write-backup";
import { estimateRows, findNewestPosition, listApplied, listMonths, listSequences } from "#lib/backup/layout-store";
import { env } from "#lib/config/env";
import { productVersion } from "#lib/installation/version";

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
  const written = await onBackupConnection(env().DATABASE_URL ?? "", options.signal, (client) =>
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

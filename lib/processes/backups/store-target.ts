import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { BackupError } from "#lib/backup/format/backup-file";
import { type BackupStore, env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { parseStoreUrl } from "#lib/config/setting-formats";
import { dataDir } from "#lib/installation/process-environment";

const SCHEME = "s3://";

export const isInStore = (target: string): boolean => target.startsWith(SCHEME);

/** Returns the store: `s3://` is BACKUP_S3_URL's, `s3://bucket/prefix` another that the same key reaches. @throws BackupError */
export function storeNamed(target: string): BackupStore {
  const store = env().backup?.store;
  if (!store)
    throw new BackupError("Set BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY and BACKUP_KEY to use the store.");
  if (target === SCHEME) return store;
  const place = parseStoreUrl(target);
  if (place === null) throw new BackupError(`${target} is not a place in a store. Write s3://bucket/prefix, or s3:// for BACKUP_S3_URL.`);
  return { ...store, ...place };
}

/** Parses `s3://bucket/prefix/NAME`. @throws BackupError */
export function objectNamed(target: string): { store: BackupStore; name: string } {
  const at = target.lastIndexOf("/");
  const name = target.slice(at + 1);
  if (["", ".", ".."].includes(name) || at < SCHEME.length)
    throw new BackupError(
      `${target} is not a backup in the store. Write s3://bucket/prefix/NAME. To list the backups: ${ownCommand("restore", "--list")}`,
    );
  return { store: storeNamed(target.slice(0, at)), name };
}

/** Gives `work` a folder that only this account may enter, removed afterwards. */
export async function inPrivateFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(dataDir(), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(dataDir(), "backup-transfer-"));
  return work(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

import path from "node:path";
import type { BackupSettings } from "#lib/config/backup-settings";
import { dataDir, ROOT } from "#lib/installation/process-environment";

/** Returns where a backup is made that only goes to the store: on DATA_DIR's disk, because /tmp is memory on many machines. */
const draftFolder = (): string => path.join(dataDir(), "backup-drafts");

export const proofFolder = (): string => path.join(dataDir(), "backup-proofs");

export const folderOf = ({ dir, keep }: BackupSettings): { folder: string; keep: number } =>
  dir === null ? { folder: draftFolder(), keep: 0 } : { folder: path.resolve(ROOT, dir), keep };

/** Hides the server's folders, which are no business of the page's readers. */
export const withoutFolders = (text: string, { dir }: Pick<BackupSettings, "dir">): string =>
  (dir === null ? text : text.replaceAll(path.resolve(ROOT, dir), "BACKUP_DIR")).replaceAll(dataDir(), "DATA_DIR");

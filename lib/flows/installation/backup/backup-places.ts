import path from "node:path";
import type { BackupSettings } from "#lib/config/backup-settings";
import { dataDir, ROOT } from "#lib/installation/process-environment";

/** Returns where a file is made that goes to the store and is not kept: on the disk of DATA_DIR, since that of /tmp is memory on many machines. */
const draftFolder = (): string => path.join(dataDir(), "backup-drafts");

/** Returns where what is brought from the store lies while it is restored. */
export const proofFolder = (): string => path.join(dataDir(), "backup-proofs");

/** Returns the folder that backups are written to, and how many files stay there. */
export const folderOf = ({ dir, keep }: BackupSettings): { folder: string; keep: number } =>
  dir === null ? { folder: draftFolder(), keep: 0 } : { folder: path.resolve(ROOT, dir), keep };

/** Takes folders of the server out of a text: they are no business of the page's readers. */
export const withoutFolders = (text: string, { dir }: Pick<BackupSettings, "dir">): string =>
  (dir === null ? text : text.replaceAll(path.resolve(ROOT, dir), "BACKUP_DIR")).replaceAll(dataDir(), "DATA_DIR");

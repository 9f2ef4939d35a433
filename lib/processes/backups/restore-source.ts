import path from "node:path";
import type { SealLabel } from "#lib/backup/format/seal";
import { STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import { fetchSealed, isSealedFile, openSealedFile } from "#lib/backup/sealed-object";
import { formatStoreUrl } from "#lib/config/setting-formats";
import { complain, say } from "#lib/processes/progress";
import { inPrivateFolder, isInStore, objectNamed, storeNamed } from "./store-target.ts";

/** An object's own name may lead out of the folder. */
const OPENED = "opened.backup";

/** Gives `work` the file itself, or a sealed file or store object opened in a private folder that is then removed. @throws BackupError */
export async function withBackupFile<T>(target: string, signal: AbortSignal, work: (file: string, name: string) => Promise<T>): Promise<T> {
  if (isInStore(target)) {
    const { store: settings, name } = objectNamed(target);
    return inPrivateFolder(async (folder) => {
      const to = path.join(folder, OPENED);
      say(`  fetching ${target} …`);
      await withObjectStore(settings, STORE_LIMITS, (store) => fetchSealed(store, settings.keys, { name, to, signal, onLabel }));
      return work(to, target);
    });
  }
  const file = path.resolve(target);
  if (!(await isSealedFile(file))) return work(file, file);
  const { keys } = storeNamed("s3://");
  return inPrivateFolder(async (folder) => {
    const to = path.join(folder, OPENED);
    await openSealedFile(keys, file, { to, signal, onLabel });
    return work(to, file);
  });
}

const onLabel = ({ installation, createdAt }: SealLabel) => say(`  sealed by ${installation}, made ${createdAt}`);

export async function listStore(target = "s3://"): Promise<number> {
  const settings = storeNamed(target);
  const objects = await withObjectStore(settings, STORE_LIMITS, (store) => store.list());
  const place = formatStoreUrl(settings);
  if (objects.length === 0) {
    complain(`There is no backup in ${place}.`);
    return 1;
  }
  for (const { name, bytes, storedAt } of objects.sort((a, b) => Number(a.storedAt) - Number(b.storedAt)))
    say(`  ${place}/${name}  ${storedAt.toISOString()}  ${(bytes / 1_000_000).toFixed(1)} MB`);
  return 0;
}

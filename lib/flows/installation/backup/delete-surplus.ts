import { holds, placeOf, removeBackup } from "#lib/backup/backup-folder";
import { STORE_LIMITS, type StoreLimits, withObjectStore } from "#lib/backup/object-store";
import { failSilent } from "#lib/backup/run-store";
import { listSurplusFiles, listSurplusObjects, markDeleted, markUnstored } from "#lib/backup/surplus-store";
import type { BackupStore } from "#lib/config/backup-settings";
import { env } from "#lib/config/env";
import { formatStoreUrl } from "#lib/config/store-url";
import { logger } from "#lib/observability/logger";
import { folderOf } from "./backup-places.ts";

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

import { STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import type { BackupStore } from "#lib/config/backup-settings";
import { formatStoreUrl } from "#lib/config/store-url";

const SILENCE_MS = 10_000;

/** Sees whether the store can be reached and read. @returns what is wrong with it, in words; null when nothing is */
export async function examineStore(settings: BackupStore): Promise<string | null> {
  const limits = { ...STORE_LIMITS, silenceMs: SILENCE_MS, attempts: 1 };
  return withObjectStore(settings, limits, (store) => store.list()).then(
    () => null,
    (error: Error) => `${formatStoreUrl(settings)}: ${error.message}`,
  );
}

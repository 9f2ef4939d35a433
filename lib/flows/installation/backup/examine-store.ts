import { STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import type { BackupStore } from "#lib/config/env";
import { formatStoreUrl } from "#lib/config/setting-formats";

const SILENCE_MS = 10_000;

/** Returns why the store can't be reached or read; null if it can. */
export async function examineStore(settings: BackupStore): Promise<string | null> {
  const limits = { ...STORE_LIMITS, silenceMs: SILENCE_MS, attempts: 1 };
  return withObjectStore(settings, limits, (store) => store.list()).then(
    () => null,
    (error: Error) => `${formatStoreUrl(settings)}: ${error.message}`,
  );
}

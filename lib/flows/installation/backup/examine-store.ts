import { openObjectStore, STORE_LIMITS } from "#lib/backup/object-store";
import type { BackupStore } from "#lib/config/backup-settings";
import { formatStoreUrl } from "#lib/config/store-url";

const SILENCE_MS = 10_000;

/** Sees whether the store can be reached and read. @returns what is wrong with it, in words; null when nothing is */
export async function examineStore(settings: BackupStore): Promise<string | null> {
  const store = await openObjectStore(settings, { ...STORE_LIMITS, silenceMs: SILENCE_MS, attempts: 1 });
  try {
    await store.list();
    return null;
  } catch (error) {
    return `${formatStoreUrl(settings)}: ${(error as Error).message}`;
  } finally {
    store.close();
  }
}

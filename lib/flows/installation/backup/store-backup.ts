import path from "node:path";
import { type StoreLimits, withObjectStore } from "#lib/backup/object-store";
import { storeSealed } from "#lib/backup/sealed-object";
import type { BackupStore } from "#lib/config/backup-settings";
import type { BackupProgress } from "./make-backup.ts";

/** Time for deleting the object of a failed backup; then it is left to the next clean-up. */
const REMOVE_MS = 10_000;

type StoreOptions = { signal: AbortSignal; onProgress: (progress: BackupProgress) => void; limits: StoreLimits };

/** Seals and stores a checked backup, and compares what the store gives back. On failure no object is left. @throws BackupError */
export async function storeBackup(settings: BackupStore, file: string, { signal, onProgress, limits }: StoreOptions): Promise<void> {
  await withObjectStore(settings, limits, async (store) => {
    try {
      await storeSealed(store, settings.keys, file, { signal, onBytes: (phase, done, total) => onProgress({ phase, done, total }) });
    } catch (error) {
      await store.remove(path.basename(file), AbortSignal.timeout(REMOVE_MS)).catch(() => undefined);
      throw error;
    }
  });
}

import { newestKnownMigration } from "#lib/db/migrate";
import { isOlderWorkerAlive } from "#lib/processing/heartbeat-store";
import { sealClearUrls } from "#lib/vault/sealed-row-store";

const WORKER_ALIVE_MS = 20_000;

/** Seals URLs that an earlier version wrote in clear. Waits during a rolling update: workers of that version can't open sealed ones. */
export async function sealUrls(): Promise<{ sealed: number; waits: boolean }> {
  if (await isOlderWorkerAlive(newestKnownMigration(), WORKER_ALIVE_MS)) return { sealed: 0, waits: true };
  return { sealed: await sealClearUrls(), waits: false };
}

import { newestKnownMigration } from "#lib/db/migrate";
import { isOlderWorkerAlive } from "#lib/processing/heartbeat-store";
import { sealClearUrls } from "#lib/vault/sealed-row-store";

const WORKER_ALIVE_MS = 20_000;

/**
 * Seals the URLs of destinations and alert channels that a version before has written. During a rolling update it waits:
 * workers of that version send to what stands in clear alone.
 */
export async function sealUrls(): Promise<{ sealed: number; waits: boolean }> {
  if (await isOlderWorkerAlive(newestKnownMigration(), WORKER_ALIVE_MS)) return { sealed: 0, waits: true };
  return { sealed: await sealClearUrls(), waits: false };
}

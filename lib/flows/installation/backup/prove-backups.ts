import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onBackupConnection } from "#lib/backup/copy-store";
import { BackupError } from "#lib/backup/format/backup-file";
import { STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import {
  beatProof,
  type ClaimedProof,
  claimProof,
  createScratch,
  dropScratch,
  finishProof,
  giveUpProof,
  listScratch,
  listScratchInUse,
  markDropped,
} from "#lib/backup/proof-store";
import { fetchSealed } from "#lib/backup/sealed-object";
import { type BackupStore, env } from "#lib/config/env";
import { formatStoreUrl } from "#lib/config/setting-formats";
import { asSentence } from "#lib/contracts/as-sentence";
import { firstLineOf } from "#lib/db/unavailable";
import { logger } from "#lib/observability/logger";
import { startPulse } from "#lib/time/waits";
import { proofFolder, withoutFolders } from "./make-backup.ts";
import { examineBackup, restoreBackup } from "./restore-backup.ts";

const LOOK_MS = 30_000;
const BEAT_MS = 1000;

/** Restores the newest stored backup into a scratch database on a schedule and compares every table, one at a time in the installation. */
export async function runProofs(signal: AbortSignal): Promise<void> {
  const runner = randomUUID();
  while (!signal.aborted) {
    await deleteScratch().catch((error: Error) =>
      logger().warn({ reason: error.message }, "can't drop the scratch database of a backup's proof; trying again later"),
    );
    await proveNext(runner, signal);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns false when none is due, or another worker does it. */
export async function proveNext(runner: string, signal: AbortSignal): Promise<boolean> {
  const { backup } = env();
  if (!backup?.store || backup.proveEveryMs === 0) return false;
  const database = `signalbox_proof_${randomBytes(6).toString("hex")}`;
  const claimed = await claimProof(runner, { everyMs: backup.proveEveryMs, store: formatStoreUrl(backup.store), database });
  if (!claimed) return false;
  await prove(claimed, backup.store, signal);
  await deleteScratch();
  return true;
}

async function prove(proof: ClaimedProof, settings: BackupStore, outer: AbortSignal): Promise<void> {
  const pulse = startPulse(() => beatProof(proof.id), outer, BEAT_MS);
  try {
    const tables = await restoreIntoScratch(proof, settings, pulse.signal);
    await finishProof(proof.id, null);
    logger().info({ file: proof.file, tables }, "a stored backup was restored and compared");
  } catch (error) {
    if (outer.aborted) return await giveUpProof(proof.id);
    logger().error({ reason: (error as Error).message, file: proof.file }, "a stored backup could not be proved");
    await finishProof(proof.id, wordsOf(error));
  } finally {
    pulse.end();
  }
}

async function restoreIntoScratch({ file: name, database }: ClaimedProof, settings: BackupStore, signal: AbortSignal): Promise<number> {
  const databaseUrl = env().directUrl;
  const file = path.join(proofFolder(), database);
  await mkdir(proofFolder(), { recursive: true, mode: 0o700 });
  // First, because it fails for lack of a right or of room before anything is fetched.
  const url = await onBackupConnection(databaseUrl, signal, (client) => createScratch(client, database, databaseUrl));
  try {
    await withObjectStore(settings, STORE_LIMITS, (store) => fetchSealed(store, settings.keys, { name, to: file, signal }));
    const options = { signal, onProgress: () => undefined };
    const examined = await examineBackup(file, options);
    await restoreBackup(url, file, examined, options);
    return examined.manifest.tables.length;
  } finally {
    await rm(file, { force: true });
  }
}

function wordsOf(error: unknown): string {
  const words = withoutFolders(firstLineOf(error), { dir: null });
  return error instanceof BackupError ? words : `${asSentence(`It failed: ${words}`)} Signalbox tries again within a few hours.`;
}

/** Drops databases and files of proofs that have ended, also those of killed workers. */
async function deleteScratch(): Promise<void> {
  const ended = await listScratch();
  if (ended.length > 0) {
    await onBackupConnection(env().directUrl, new AbortController().signal, async (client) => {
      for (const name of ended) await dropScratch(client, name);
    });
    await markDropped(ended);
  }
  const files = await readdir(proofFolder()).catch(() => []);
  if (files.length === 0) return;
  const inUse = await listScratchInUse();
  for (const file of files) if (!inUse.includes(file)) await rm(path.join(proofFolder(), file), { force: true });
}

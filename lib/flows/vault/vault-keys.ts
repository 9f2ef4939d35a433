import { eraseTotpSecrets } from "#lib/auth/factors/factor-store";
import { eraseLostTokens, markTokensLost } from "#lib/connections/tokens/grant-store";
import { failLostRevocations } from "#lib/connections/tokens/revocation-store";
import { newestKnownMigration } from "#lib/db/migrate";
import { storeSpooled } from "#lib/flows/connections/tokens";
import { deleteSecretsOfLostKeys } from "#lib/forwarding/destination-store";
import { isOlderWorkerAlive } from "#lib/processing/heartbeat-store";
import { deleteSecretsOfKeys } from "#lib/sources/source-store";
import { eachSealedRow, eraseLostRows, resealRow, rowKeyState, type SealedRow, sealClearUrls } from "#lib/vault/sealed-row-store";
import { isVaultError, open } from "#lib/vault/vault";

export type KeyCount = { keyId: string; place: "active" | "old" | "missing"; rows: number };
type Rotation = { resealed: number; unopenable: number; interrupted: boolean; keys: KeyCount[] };

type Options = { signal?: AbortSignal; onProgress?: (done: number, of: number) => void };

/** Re-encrypts row by row. May be stopped or killed at any moment and run again: each row is whole under one key or the other. */
export async function rotateVault({ signal, onProgress }: Options = {}): Promise<Rotation> {
  await storeSpooled(); // tokens that are still on disk are sealed too
  const total = (await countByKey()).filter(({ place }) => place === "old").reduce((sum, { rows }) => sum + rows, 0);
  let resealed = 0;
  let unopenable = 0;
  for await (const row of eachSealedRow()) {
    if (signal?.aborted) break;
    if (rowKeyState(row).place !== "old") continue;
    try {
      if (!(await resealRow(row))) continue;
      resealed += 1;
      onProgress?.(resealed, total);
    } catch (error) {
      if (!isVaultError(error)) throw error;
      unopenable += 1;
    }
  }
  return { resealed, unopenable, interrupted: signal?.aborted ?? false, keys: await countByKey() };
}

export async function countByKey(): Promise<KeyCount[]> {
  const counts = new Map<string, KeyCount>();
  for await (const row of eachSealedRow()) {
    const { keyId, place } = rowKeyState(row);
    const count = counts.get(keyId) ?? { keyId, place, rows: 0 };
    count.rows += 1;
    counts.set(keyId, count);
  }
  const order = { active: 0, old: 1, missing: 2 };
  return [...counts.values()].sort((one, other) => order[one.place] - order[other.place]);
}

/** Gives up what no key opens, so that the next start finds no missing key: connections need a new grant, signing secrets go (a start
 * takes WEBHOOK_SECRET), authenticator apps stop working, and URLs and secrets of destinations and alert channels are entered again. */
export async function forgetLostKeys(now: Date): Promise<{ keyIds: string[]; connections: number; secrets: number; targets: number }> {
  const keyIds = (await countByKey()).filter(({ place }) => place === "missing").map(({ keyId }) => keyId);
  await failLostRevocations(keyIds, now);
  const connections = await eraseLostTokens(keyIds, now);
  const secrets = (await deleteSecretsOfKeys(keyIds)) + (await eraseTotpSecrets(keyIds));
  const destinationSecrets = await deleteSecretsOfLostKeys(keyIds);
  const erased = await eraseLostRows(keyIds);
  const targets = (erased.get("destinations") ?? 0) + (erased.get("alert_channels") ?? 0) + destinationSecrets;
  return { keyIds, connections, secrets, targets };
}

/** Seals URLs that an earlier version wrote in clear. Waits during a rolling update: workers of that version can't open sealed ones. */
export async function sealUrls(): Promise<{ sealed: number; waits: boolean }> {
  if (await isOlderWorkerAlive(newestKnownMigration())) return { sealed: 0, waits: true };
  return { sealed: await sealClearUrls(), waits: false };
}

/** `wrong`: another key has the name. `none_fits`: we have no row's key. `some_lost`: the rest opens; `connections` need a new grant. */
type VaultCheck =
  | { outcome: "fits" }
  | { outcome: "wrong"; keyIds: string[] }
  | { outcome: "none_fits"; keyIds: string[] }
  | { outcome: "some_lost"; keyIds: string[]; connections: number };

/** Rows of a key that must fail to open before it is called wrong: one may be damaged. */
const SAMPLES = 5;

/** Checks at a start whether what is sealed can be opened. Changes nothing unless some keys are lost for good. */
export async function checkVault(now: Date): Promise<VaultCheck> {
  const samples = new Map<string, SealedRow[]>();
  const missing = new Set<string>();
  for await (const row of eachSealedRow()) {
    const { keyId, place } = rowKeyState(row);
    const known = samples.get(keyId) ?? [];
    if (place === "missing") missing.add(keyId);
    else if (known.length < SAMPLES) samples.set(keyId, [...known, row]);
  }
  const wrong: string[] = [];
  for (const [keyId, rows] of samples) if (!(await anyOpens(rows))) wrong.push(keyId);
  if (wrong.length > 0) return { outcome: "wrong", keyIds: wrong };
  if (missing.size === 0) return { outcome: "fits" };
  const keyIds = [...missing].sort();
  if (samples.size === 0) return { outcome: "none_fits", keyIds };
  return { outcome: "some_lost", keyIds, connections: await markTokensLost(keyIds, now) };
}

async function anyOpens(rows: SealedRow[]): Promise<boolean> {
  for (const { workspaceId, table, row, values } of rows) {
    for (const { field, sealed } of values) {
      try {
        await open(sealed, { workspaceId, table, row, field });
        return true;
      } catch (error) {
        if (!isVaultError(error)) throw error;
      }
    }
  }
  return false;
}

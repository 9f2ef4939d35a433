import { storeSpooled } from "#lib/flows/connections/tokens/store-tokens";
import { eachSealedRow, resealRow, rowKeyState } from "#lib/vault/sealed-row-store";
import { isVaultError } from "#lib/vault/vault-error";

export type KeyCount = { keyId: string; place: "active" | "old" | "missing"; rows: number };
export type Rotation = { resealed: number; unopenable: number; interrupted: boolean; keys: KeyCount[] };

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
      if (await resealRow(row)) onProgress?.(++resealed, total);
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

import { eachSealedRow, resealRow, rowStanding } from "#lib/vault/sealed-row-store";
import { isVaultError } from "#lib/vault/vault-error";

/** What is sealed with each key, and how much of it can't be opened. */
export type KeyCount = { keyId: string; place: "active" | "old" | "missing"; rows: number };
export type Rotation = { resealed: number; unopenable: number; interrupted: boolean; keys: KeyCount[] };

type Options = { signal?: AbortSignal; onProgress?: (done: number, of: number) => void };

/**
 * Seals everything that stands under an old key anew with the active one, row
 * by row. It may be stopped or killed at any moment and run again: each row is
 * whole under one key or the other, and only what is left is done.
 */
export async function rotateVault({ signal, onProgress }: Options = {}): Promise<Rotation> {
  const total = (await countByKey()).filter(({ place }) => place === "old").reduce((sum, { rows }) => sum + rows, 0);
  let resealed = 0;
  let unopenable = 0;
  for await (const row of eachSealedRow()) {
    if (signal?.aborted) break;
    if (rowStanding(row).place !== "old") continue;
    try {
      if (await resealRow(row)) onProgress?.(++resealed, total);
    } catch (error) {
      if (!isVaultError(error)) throw error;
      unopenable += 1;
    }
  }
  return { resealed, unopenable, interrupted: signal?.aborted ?? false, keys: await countByKey() };
}

/** How many rows stand under each key, the active one first. */
export async function countByKey(): Promise<KeyCount[]> {
  const counts = new Map<string, KeyCount>();
  for await (const row of eachSealedRow()) {
    const { keyId, place } = rowStanding(row);
    const count = counts.get(keyId) ?? { keyId, place, rows: 0 };
    count.rows += 1;
    counts.set(keyId, count);
  }
  const order = { active: 0, old: 1, missing: 2 };
  return [...counts.values()].sort((one, other) => order[one.place] - order[other.place]);
}

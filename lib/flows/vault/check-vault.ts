import { markTokensLost } from "#lib/connections/tokens/grant-store";
import { eachSealedRow, rowKeyState, type SealedRow } from "#lib/vault/sealed-row-store";
import { isVaultError, open } from "#lib/vault/vault";

/** `wrong`: another key has the name. `none_fits`: we have no row's key. `some_lost`: the rest opens; `connections` need a new grant. */
export type VaultCheck =
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

import { EnvError } from "#lib/config/env";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { checkVault, forgetLostKeys, type KeyCount, rotateVault } from "#lib/flows/vault/vault-keys";
import { complain, say } from "./progress.ts";
import { withInstallation } from "./with-installation.ts";

// `npm run vault:rotate` re-encrypts everything with the first key of VAULT_KEYS; it may be stopped at any moment and run again.
// With --forget-lost it first gives up what no key opens any more.

const SAY_EVERY = 100;

async function rotate(): Promise<number> {
  if (process.argv.includes("--forget-lost")) await forget();
  const check = await checkVault(new Date());
  if (check.outcome === "wrong")
    throw new EnvError(`The key ${check.keyIds.join(", ")} of VAULT_KEYS is not the one that encrypted the data. Restore the right one.`);
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  const { resealed, unopenable, interrupted, keys } = await rotateVault({
    signal: abort.signal,
    onProgress: (done, of) =>
      (done % SAY_EVERY === 0 || done === of) && say(`  re-encrypted: ${formatNumber(done)} of ${formatNumber(of)}`),
  });
  say(
    interrupted
      ? `Stopped after ${countWords(resealed, "value")}. Run it again to continue.`
      : `Re-encrypted ${countWords(resealed, "value")}.`,
  );
  if (unopenable > 0) say(`Not decrypted, because modified or truncated, and left unchanged: ${countWords(unopenable, "value")}.`);
  for (const key of keys) say(lineOf(key));
  if (keys.length === 0) say("  Nothing is encrypted yet.");
  return keys.every(({ place }) => place === "active") ? 0 : 1;
}

async function forget(): Promise<void> {
  const { keyIds, connections, secrets, targets } = await forgetLostKeys(new Date());
  if (keyIds.length === 0) return say("No key is missing: nothing to discard.");
  say(
    `Discarded what was encrypted with ${keyIds.join(", ")}: ${countWords(connections, "connection has", "connections have")} to be reconnected, ${countWords(secrets, "signing secret was", "signing secrets were")} deleted, ${countWords(targets, "URL or secret", "URLs and secrets")} of destinations and alert channels to be entered again.`,
  );
}

const WORDS: Record<KeyCount["place"], string> = {
  active: "the active key",
  old: "still on this old key: keep it in VAULT_KEYS and run this again",
  missing: "on a key missing from VAULT_KEYS: restore it, or discard them with --forget-lost",
};

const lineOf = ({ keyId, place, rows }: KeyCount) => `  ${keyId.padEnd(12)} ${String(rows).padStart(6)}  ${WORDS[place]}`;

try {
  process.exitCode = await withInstallation(rotate);
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

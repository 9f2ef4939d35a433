import { EnvError, env } from "#lib/config/env";
import { completeEnvironment } from "#lib/config/process-environment";
import { locateCluster } from "#lib/db/embedded/cluster";
import { isServerRunning } from "#lib/db/embedded/postmaster";
import { closePools } from "#lib/db/pool";
import { checkVault } from "#lib/flows/check-vault";
import { forgetLostKeys } from "#lib/flows/forget-lost-keys";
import { type KeyCount, rotateVault } from "#lib/flows/rotate-vault";
import { postgresDirectory } from "./data-files.ts";
import { startDatabase } from "./database.ts";
import { complain, say } from "./progress.ts";

// `npm run vault:rotate`: seals everything anew with the first key of
// VAULT_KEYS. It may run beside Signalbox, be stopped at any moment and run again.
// With --forget-lost it first gives up what no key opens any more.

const SAY_EVERY = 100;

async function main(): Promise<number> {
  const wasRunning = Boolean(env().DATABASE_URL) || isServerRunning(locateCluster(postgresDirectory()).directory);
  const database = await startDatabase();
  try {
    completeEnvironment("production", database?.url);
    return await rotate();
  } finally {
    await closePools();
    if (!wasRunning) await database?.stop();
  }
}

async function rotate(): Promise<number> {
  if (process.argv.includes("--forget-lost")) await forget();
  const check = await checkVault();
  if (check.outcome === "wrong")
    throw new EnvError(`The key ${check.keyIds.join(", ")} of VAULT_KEYS is not the one that sealed the data. Put the right one back.`);
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  const { resealed, unopenable, interrupted, keys } = await rotateVault({
    signal: abort.signal,
    onProgress: (done, of) => (done % SAY_EVERY === 0 || done === of) && say(`  sealed anew: ${done} of ${of}`),
  });
  say(interrupted ? `Stopped after ${resealed}. Run it again to go on.` : `Sealed ${resealed} anew.`);
  if (unopenable > 0) say(`${unopenable} can't be opened with the key that they name: they were changed or cut. They stay as they are.`);
  for (const key of keys) say(lineOf(key));
  if (keys.length === 0) say("  Nothing is sealed yet.");
  return keys.every(({ place }) => place === "active") ? 0 : 1;
}

async function forget(): Promise<void> {
  const { keyIds, connections, secrets } = await forgetLostKeys();
  if (keyIds.length === 0) return say("No key is missing: nothing to forget.");
  say(
    `Gave up what was sealed with ${keyIds.join(", ")}: ${connections} connections ask to be reconnected, ${secrets} signing secrets are gone.`,
  );
}

const WORDS: Record<KeyCount["place"], string> = {
  active: "the active key",
  old: "left on this old key: keep it in VAULT_KEYS and run this again",
  missing: "left on a key that VAULT_KEYS lacks: put it back, or give them up with --forget-lost",
};

const lineOf = ({ keyId, place, rows }: KeyCount) => `  ${keyId.padEnd(12)} ${String(rows).padStart(6)}  ${WORDS[place]}`;

try {
  process.exitCode = await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

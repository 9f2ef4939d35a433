import { parseArgs } from "node:util";
import { EnvError, env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { type ConnectionPlan, planConnections, type StartedKinds } from "#lib/db/connection-limits";
import { assertFits, examineSchema } from "#lib/db/migrate";
import type { ProcessKind } from "#lib/db/pool-sizes";
import { onceAvailable } from "#lib/db/unavailable";
import { checkVault } from "#lib/flows/vault/vault-keys";
import { logger } from "#lib/observability/logger";
import { complain, warn } from "./progress.ts";

/** @throws EnvError on a database that is too new for this version */
export async function assertSchema(databaseUrl: string): Promise<void> {
  const warning = assertFits(await examineSchema(databaseUrl));
  if (warning !== null) logger().warn(warning);
}

/** Ends the process if the schema proves too new once the database, which was away at the start, answers. */
export async function refuseLater(stopping: AbortSignal, databaseUrl: string): Promise<void> {
  try {
    await onceAvailable(() => assertSchema(databaseUrl), { signal: stopping, onWait: () => undefined });
  } catch (error) {
    if (stopping.aborted || !(error instanceof EnvError)) return;
    complain(error.message);
    process.exit(1);
  }
}

const GIVE_UP = `If the key is permanently lost, discard what it encrypted: ${ownCommand("vault:rotate", "--forget-lost")}. Those connections then have to be reconnected; no events are lost.`;

/** Checks before requests are accepted that VAULT_KEYS opens what is stored. @throws EnvError with instructions */
export async function assertVaultFits(): Promise<void> {
  if (!env().VAULT_KEYS)
    throw new EnvError("VAULT_KEYS is not set: every process of an installation needs the same VAULT_KEYS and NEXTAUTH_SECRET.");
  const check = await checkVault(new Date());
  if (check.outcome === "fits") return;
  const names = check.keyIds.join(", ");
  if (check.outcome === "wrong")
    throw new EnvError(
      `Invalid VAULT_KEYS: the key ${names} is not the one that encrypted the stored tokens and signing secrets.\nRestore the right key (from your backup of VAULT_KEYS, or secrets.env in DATA_DIR).\nA new key needs a new name, before the old one: VAULT_KEYS=new-name:base64,${names}:base64`,
    );
  if (check.outcome === "none_fits")
    throw new EnvError(
      `VAULT_KEYS can't decrypt the stored data: it was encrypted with ${names}.\nAdd that key again, after the new one: VAULT_KEYS=new-name:base64,${names}:base64\n${GIVE_UP}`,
    );
  logger().error(
    { keyIds: check.keyIds, connections: check.connections },
    "VAULT_KEYS is missing a key that is still in use: restore it; until then its connections have to be reconnected",
  );
}

// How many connections to the database a process takes: the start reckons, and tells web and worker.

const OPTION = "connections";

export const connectionsOption = (count: number): string => `--${OPTION}=${count}`;

/** Returns what the start has reckoned for this process; null for one that was started by itself. */
export function givenConnections(): number | null {
  const { values } = parseArgs({ options: { [OPTION]: { type: "string" } }, strict: false });
  const count = Number(values[OPTION]);
  return Number.isInteger(count) && count > 0 ? count : null;
}

/** Says in a line where the database allows fewer than are wanted. @param kinds those that are started; none where only the database is
 * prepared @throws EnvError if a process can't work with what is allowed */
export async function planAtStart(kinds: StartedKinds): Promise<Record<ProcessKind, number>> {
  const both: StartedKinds = ["web", "worker"];
  const plan: ConnectionPlan = await planConnections(env().directUrl, kinds.length === 0 ? both : kinds, env().DATABASE_POOL !== undefined);
  if (plan.outcome !== "fits" && (plan.outcome === "shrunk" || kinds.length === 0)) warn(`Attention: ${plan.words}`);
  if (plan.outcome !== "too_few") return plan.sizes;
  if (kinds.length > 0) throw new EnvError(plan.words);
  return { web: 0, worker: 0 };
}

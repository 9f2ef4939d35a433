import { parseArgs } from "node:util";
import { EnvError, env } from "#lib/config/env";
import { type ConnectionPlan, planConnections, type StartedKinds } from "#lib/db/connection-limits";
import type { ProcessKind } from "#lib/db/pool-sizes";
import { warn } from "./progress.ts";

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

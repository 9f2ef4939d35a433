import { AppliedFiling } from "#lib/flows/events/file-applied";
import { logger } from "#lib/observability/logger";
import { countWork } from "#lib/observability/worker-counters";
import { applyAlone } from "./batch/apply-alone.ts";
import { applyInTurn } from "./batch/apply-in-turn.ts";
import { LOCK_WAITS } from "./batch/held-records.ts";

const BATCH = 1000;
const ALONE_A_ROUND = 25;

const filing = new AppliedFiling();

/** Runs a round, in any number of processes. Logs when the database is unavailable. Returns true if more may wait. */
export const workInbox = (): Promise<boolean> => round(() => applyInTurn({ lane: "prompt", limit: BATCH, filing }));

/** Runs a round of what others must not wait for: slow workspaces, and deliveries tried alone. Returns true if more may wait. */
export const workInboxApart = (): Promise<boolean> =>
  round(async () => (await applyInTurn({ lane: "slow", limit: BATCH, filing })) + (await applyAlone(ALONE_A_ROUND)));

async function round(work: () => Promise<number>): Promise<boolean> {
  try {
    return (await work()) > 0;
  } catch (error) {
    countWork({ inbox_errors: 1 });
    logger().warn({ reason: (error as Error).message }, "can't apply deliveries; trying again");
    return false;
  }
}

/** Applies the next that waits, whatever it is, without indexing it for search. Returns how many deliveries; 0 when nothing waits. */
export const processEvents = async (batch = BATCH, waits = LOCK_WAITS): Promise<number> =>
  (await applyInTurn({ lane: "prompt", limit: batch, waits })) ||
  (await applyInTurn({ lane: "slow", limit: batch, waits })) ||
  applyAlone(batch, waits);

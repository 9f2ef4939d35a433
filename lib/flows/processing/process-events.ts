import { AppliedFiling } from "#lib/flows/events/file-applied";
import { logger } from "#lib/observability/logger";
import { countWork } from "#lib/observability/worker-counters";
import { applyAlone } from "./batch/apply-alone.ts";
import { applyInTurn } from "./batch/apply-in-turn.ts";
import { LOCK_WAITS } from "./batch/held-records.ts";

const BATCH = 1000;
const ALONE_A_ROUND = 25;

const filing = new AppliedFiling();

/**
 * One round of the worker, any number of which may run in any number of
 * processes. An unavailable database is logged, and the next round
 * tries again.
 *
 * @returns whether more may wait
 */
export const workInbox = (): Promise<boolean> => round(() => applyInTurn({ lane: "prompt", limit: BATCH, filing }));

/**
 * One round of what others must not wait for: workspaces whose batches take
 * long, and deliveries that are tried alone.
 *
 * @returns whether more may wait
 */
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

/**
 * Applies the next that waits, whatever it is: a batch of the workspaces whose
 * turn it is, else what is tried alone. Nothing is filed for the search.
 *
 * @param waits how long it waits for what other sessions have locked
 * @returns how many deliveries were dealt with; 0 when nothing waits
 */
export const processEvents = async (batch = BATCH, waits = LOCK_WAITS): Promise<number> =>
  (await applyInTurn({ lane: "prompt", limit: batch, waits })) ||
  (await applyInTurn({ lane: "slow", limit: batch, waits })) ||
  applyAlone(batch, waits);

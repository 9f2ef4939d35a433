import { setTimeout as sleep } from "node:timers/promises";
import type { DueWorkspace } from "#lib/processing/due-workspace-store";
import { listDueInLog } from "#lib/processing/log/due-log-store";
import {
  beginClaim,
  claimRanges,
  endRanges,
  giveBackRanges,
  listBegunClaims,
  moveToInbox,
  readRanges,
  setRangesApart,
} from "#lib/processing/log/range-store";
import type { BatchSource, ClaimedBatch } from "./batch-source.ts";

const rolledBack = new Set<number>();

/** Times in which an append usually ends, in milliseconds, and the total wait: less than twice the last. */
const HORIZON_PAUSES_MS = [2, 4, 8, 16];

/**
 * Returns what is due, or will be in a moment: an append that has not ended holds the log's horizon back, and so can, for a
 * moment, any transaction that ends while the horizon is read. Without this, its events would wait for the next round.
 */
async function listDueSoon(countTo: number): Promise<DueWorkspace[]> {
  let found = await listDueInLog(countTo);
  for (const pause of HORIZON_PAUSES_MS) {
    if (found.due.length > 0 || !found.held) break;
    await sleep(pause);
    found = await listDueInLog(countTo);
  }
  return found.due;
}

async function catchUp(): Promise<void> {
  if (rolledBack.size === 0) return;
  const claims = [...rolledBack];
  await giveBackRanges(claims);
  for (const claim of claims) rolledBack.delete(claim);
}

/** First deliveries, read from the log by position: a claim is an advisory lock, and the ranges that it covers (docs/decisions/0046). */
export const LOG: BatchSource = {
  listDue: listDueSoon,
  claim: async (client, turn, onClaim) => {
    const claimId = await beginClaim(client);
    onClaim(claimId);
    if ((await claimRanges(claimId, turn)) === 0) return null;
    const events = await readRanges(client, claimId);
    const end: ClaimedBatch["end"] = async (transaction, held, againMs) => {
      if (held.length > 0) await moveToInbox(transaction, claimId, held, againMs);
      await endRanges(transaction, claimId, events.length, held.length > 0 ? "partly" : "applied");
    };
    return { claimId, events, end };
  },
  giveBack: async (claimId) => {
    rolledBack.add(claimId);
    await catchUp().catch(() => undefined);
  },
  setApart: setRangesApart,
  catchUp,
};

/** Has the events of ranges tried alone whose process died, or that a batch has failed of. */
export async function setLeftRangesApart(): Promise<void> {
  await catchUp();
  for (const claim of await listBegunClaims()) await setRangesApart(claim);
}

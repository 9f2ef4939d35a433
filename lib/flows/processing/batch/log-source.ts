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

/** Pauses within which an append usually ends; the total wait is less than twice the last. */
const HORIZON_PAUSES_MS = [2, 4, 8, 16];

/** Returns what is due, or will be in a moment: an append in progress holds back the horizon, and its events would miss this round. */
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

/** First deliveries, read from the log by position. A claim is an advisory lock and the ranges that it covers (docs/decisions/0045). */
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

/** Sets ranges apart whose process died, or whose batch failed, so that their events are tried alone. */
export async function setLeftRangesApart(): Promise<void> {
  await catchUp();
  for (const claim of await listBegunClaims()) await setRangesApart(claim);
}

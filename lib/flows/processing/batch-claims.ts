import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isLockConflict } from "#lib/db/locks";
import { STATEMENT_LIMIT_MS } from "#lib/db/pool";
import { isDatabaseUnavailable } from "#lib/db/unavailable";
import { codeOf } from "#lib/observability/logger";
import { type DueWorkspace, listDueInLog, listDueWorkspaces } from "#lib/processing/backlog-store";
import {
  type Claimed,
  claimDue,
  deleteClaims,
  holdInInbox,
  type InboxDelivery,
  recordClaim,
  removeFromInbox,
} from "#lib/processing/inbox-store";
import {
  beginClaim,
  claimRanges,
  endRanges,
  giveBackRanges,
  listBegunClaims,
  moveToInbox,
  readRanges,
  setRangesApart,
} from "#lib/processing/log-range-store";
import type { Turn } from "#lib/processing/workspace-turns";

/** The claim is recorded already, in a commit of its own. */
export type ClaimedBatch = {
  claimId: number;
  events: Claimed[];
  /** Ends the claim, in the transaction that applied the events. @param held events that met a lock, due again after `againMs` */
  end: (client: pg.PoolClient, held: Claimed[], againMs: number) => Promise<void>;
};

/** The log (first deliveries) or the inbox (re-deliveries). */
export type BatchSource = {
  /** Workspaces with something due, each counted up to a bound. */
  listDue: (countTo: number) => Promise<DueWorkspace[]>;
  /** Returns null when nothing can be claimed. @param onClaim called as soon as the claim may be recorded */
  claim: (client: pg.PoolClient, turn: Turn, onClaim: (claimId: number) => void) => Promise<ClaimedBatch | null>;
  /** The transaction was rolled back, and no event is the cause: they may be claimed together again. */
  giveBack: (claimId: number) => Promise<void>;
  /** The transaction was rolled back, and an event may be the cause: each is tried alone. */
  setApart: (claimId: number) => Promise<unknown>;
  catchUp: () => Promise<void>;
};

const rolledBackRanges = new Set<number>();

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
  if (rolledBackRanges.size === 0) return;
  const claims = [...rolledBackRanges];
  await giveBackRanges(claims);
  for (const claim of claims) rolledBackRanges.delete(claim);
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
    rolledBackRanges.add(claimId);
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

/** PostgreSQL's codes for faults of the events' content, and for a statement that took too long: lock waits have their own limit. */
const CONTENT_CODES = /^(22|23|42|54|57014)/;

const CANCELLED = "57014";

/** True if a batch that failed this way is tried event by event at once. */
export const isContentError = (error: unknown): boolean =>
  CONTENT_CODES.test(codeOf(error)) || error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;

/** True if the failure of a lone event after so many milliseconds says nothing of it. A person may cancel a statement before its limit. */
export const isNoFaultOf = (error: unknown, ms: number): boolean =>
  isLockConflict(error) || (codeOf(error) === CANCELLED && ms < STATEMENT_LIMIT_MS);

/** True if the database is unavailable: the failure says nothing of the events. */
export const isDatabaseAway = (error: unknown): boolean => !isContentError(error) && isDatabaseUnavailable(error);

const rolledBackClaims = new Set<number>();

/** Ends a claim whose transaction was rolled back; while the database is unavailable, as soon as it is back. */
export async function endClaim(claimId: number): Promise<void> {
  rolledBackClaims.add(claimId);
  await endRolledBackClaims().catch(() => undefined);
}

export async function endRolledBackClaims(): Promise<void> {
  if (rolledBackClaims.size === 0) return;
  const ids = [...rolledBackClaims];
  await deleteClaims(ids);
  for (const id of ids) rolledBackClaims.delete(id);
}

/** Re-deliveries, and deliveries that an earlier release put there. A claim is the row locks, and a row that lists them. */
export const INBOX: BatchSource = {
  listDue: listDueWorkspaces,
  claim: async (client, turn, onClaim) => {
    const events: InboxDelivery[] = await claimDue(client, turn);
    if (events.length === 0) return null;
    const ids = events.map(({ inboxId }) => inboxId);
    const claimId = await recordClaim(ids);
    onClaim(claimId);
    const end: ClaimedBatch["end"] = async (transaction, held, againMs) => {
      const later = new Set(held.flatMap(({ inboxId }) => inboxId ?? []));
      if (later.size > 0) await holdInInbox(transaction, [...later], againMs);
      await removeFromInbox(
        transaction,
        ids.filter((id) => !later.has(id)),
        claimId,
      );
    };
    return { claimId, events, end };
  },
  giveBack: endClaim,
  // The claim lists them already.
  setApart: async () => undefined,
  catchUp: endRolledBackClaims,
};

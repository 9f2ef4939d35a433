import type pg from "pg";
import type { DueWorkspace } from "#lib/processing/due-workspace-store";
import type { Claimed } from "#lib/processing/inbox-store";
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

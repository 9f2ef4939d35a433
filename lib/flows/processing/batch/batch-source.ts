import type pg from "pg";
import type { DueWorkspace } from "#lib/processing/due-workspace-store";
import type { Claimed } from "#lib/processing/inbox-store";
import type { Turn } from "#lib/processing/workspace-turns";

/** A batch that a worker has claimed. The claim is recorded already, in a commit of its own. */
export type ClaimedBatch = {
  claimId: number;
  events: Claimed[];
  /**
   * Ends the claim, in the transaction that has applied the events.
   *
   * @param held those that it has not: they wait for what somebody else has locked, and are due again after `againMs`
   */
  end: (client: pg.PoolClient, held: Claimed[], againMs: number) => Promise<void>;
};

/** Source of batches: the log (first deliveries) or the inbox (re-deliveries). */
export type BatchSource = {
  /** The workspaces that have something due, each one's counted up to a bound. */
  listDue: (countTo: number) => Promise<DueWorkspace[]>;
  /**
   * Claims the next of a turn in the transaction in hand.
   *
   * @param onClaim called with the claim's id as soon as it may stand recorded
   * @returns null when nothing can be claimed
   */
  claim: (client: pg.PoolClient, turn: Turn, onClaim: (claimId: number) => void) => Promise<ClaimedBatch | null>;
  /** The claim's transaction was rolled back, and no event is the cause: they may be claimed together again. */
  giveBack: (claimId: number) => Promise<void>;
  /** The claim's transaction was rolled back, and its events may be the cause: each is tried alone. */
  setApart: (claimId: number) => Promise<unknown>;
  /** Gives back what could not be given back while the database was away. */
  catchUp: () => Promise<void>;
};

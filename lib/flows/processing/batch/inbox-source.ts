import { listDueWorkspaces } from "#lib/processing/due-workspace-store";
import { recordClaim } from "#lib/processing/inbox-claim-store";
import { claimDue, holdInInbox, type InboxDelivery, removeFromInbox } from "#lib/processing/inbox-store";
import { endClaim, endRolledBackClaims } from "./batch-failure.ts";
import type { BatchSource, ClaimedBatch } from "./batch-source.ts";

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

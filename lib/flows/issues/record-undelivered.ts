import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ForwardingIssueCode } from "#lib/contracts/issues";
import { issueIdOf } from "#lib/issues/issue";
import { insertNoted, settleDelivered, settleWhole } from "#lib/issues/issue-event-store";
import { ensureIssues, lockIssues, markRecurred, resolveSettled, type Sighting } from "#lib/issues/issue-ledger-store";

export type Passage = { workspaceId: WorkspaceId; destinationId: string; receivedAt: Date; seq: number };

/** An event that a destination did not get: exhausted, or the one at which it was suspended. */
export type Undelivered = Passage & { code: ForwardingIssueCode; eventId: string; words: string };

const fingerprintOf = (code: ForwardingIssueCode, destinationId: string) =>
  ({ origin: "forwarding", code, type: "destination", place: destinationId }) as const;

const issueOf = (code: ForwardingIssueCode, { workspaceId, destinationId }: Pick<Passage, "workspaceId" | "destinationId">) =>
  issueIdOf(workspaceId, fingerprintOf(code, destinationId));

/** Files undelivered events in the transaction that records them: one issue for exhausted deliveries, one for the suspension. */
export async function recordUndelivered(client: pg.PoolClient, undelivered: Undelivered[], now: Date): Promise<void> {
  if (undelivered.length === 0) return;
  const noted = undelivered.map(({ code, destinationId, ...each }) => ({
    ...each,
    ...fingerprintOf(code, destinationId),
    issueId: issueOf(code, { workspaceId: each.workspaceId, destinationId }),
    seenAt: now,
    failedAt: now,
  })) satisfies Sighting[];
  await ensureIssues(client, noted);
  await lockIssues(client, [...new Set(noted.map(({ issueId }) => issueId))]);
  await insertNoted(client, "destination:", noted);
  await markRecurred(client, noted, now);
}

/** Settles exhausted deliveries that got through after all. */
export async function recordDelivered(client: pg.PoolClient, delivered: Passage[], now: Date): Promise<void> {
  if (delivered.length === 0) return;
  const events = delivered.map((each) => ({ ...each, issueId: issueOf("deliveries_exhausted", each) }));
  await resolve(client, await settleDelivered(client, events, now), now);
}

/** Ends a destination's issues: the suspension when it is over, all when it is deleted. */
export async function settleDestination(
  client: pg.PoolClient,
  destination: Pick<Passage, "workspaceId" | "destinationId">,
  codes: ForwardingIssueCode[],
  now: Date,
): Promise<void> {
  const issueIds = codes.map((code) => issueOf(code, destination));
  await resolve(client, await settleWhole(client, issueIds, now), now);
}

async function resolve(client: pg.PoolClient, issueIds: string[], now: Date): Promise<void> {
  if (issueIds.length === 0) return;
  await lockIssues(client, issueIds);
  await resolveSettled(client, issueIds, now);
}

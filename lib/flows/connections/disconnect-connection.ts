import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { RevocationOutcome } from "#lib/connections/connection-problems";
import { deleteUnconnected, findConnection } from "#lib/connections/connection-store";
import { eraseGrant } from "#lib/connections/tokens/grant-store";
import { findLatestRevocation } from "#lib/connections/tokens/revocation-store";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import type { DisconnectResult } from "#lib/contracts/connections";
import { systemClock } from "#lib/time/clock";
import { tryRevocation } from "./revoke-tokens.ts";

type Revocation = DisconnectResult["revocation"];

export type DisconnectOutcome =
  | { outcome: "disconnected"; erased: boolean; revocation: Revocation }
  | { outcome: "removed" }
  | { outcome: "not_found" };

/** Erases the tokens, then revokes them; a connection without any is removed. A renewal in progress revokes what it gets later. */
export async function disconnectConnection(actor: Actor, id: ConnectionId, audit: Audit, clock = systemClock): Promise<DisconnectOutcome> {
  const now = new Date(clock.now());
  const { workspaceId } = actor;
  const before = await findConnection(workspaceId, id, now);
  const record = (after: { state: string; erased: boolean }) =>
    audit.record({
      action: "connection.disconnected",
      target: { kind: "connection", id, name: before?.name ?? null },
      before: { state: before?.state, account: before?.account ?? null },
      after,
    });
  if (await deleteUnconnected(workspaceId, id)) {
    await record({ state: "removed", erased: false });
    return { outcome: "removed" };
  }
  const done = await eraseGrant(workspaceId, id, actorName(actor), now);
  if (!done) return { outcome: "not_found" };
  await record({ state: "disconnected", erased: done.revocation !== null });
  const { revocation, refreshUnderWay } = done;
  if (revocation === null) return { outcome: "disconnected", erased: false, revocation: await revokedBefore(workspaceId, id) };
  const how = typeof revocation === "string" ? revocation : await tryRevocation(revocation, clock, true);
  return { outcome: "disconnected", erased: true, revocation: shownOf(how, refreshUnderWay) };
}

/** Reports `pending` during a refresh: a platform that rotates tokens may confirm the old one after it has issued a new one. */
function shownOf(how: RevocationOutcome, refreshUnderWay: boolean): Revocation {
  if (how === "not_offered") return how;
  if (refreshUnderWay || how === "failed") return "pending";
  return how === "left" || how === "unconfirmed" ? "failed" : how;
}

/** Returns the outcome of an earlier disconnection, which the caller may have missed. */
async function revokedBefore(workspaceId: WorkspaceId, id: ConnectionId): Promise<Revocation> {
  const state = await findLatestRevocation(workspaceId, id);
  return state === null ? "not_possible" : state === "waiting" ? "pending" : state;
}

const REVOCATIONS: Record<Revocation, string> = {
  revoked: "The platform confirmed that access was revoked.",
  not_offered: "No revocation URL is configured (PLATFORM_REVOKE_URL): revoke access on the platform.",
  failed: "The platform did not confirm the revocation: revoke access on the platform.",
  pending:
    "The platform has not confirmed yet that access was revoked. Signalbox keeps asking for up to 7 days, also for the tokens of a renewal that was in progress. The connection's page shows the result.",
  not_possible: "There was nothing to revoke on the platform.",
};

export const disconnectSentence = (erased: boolean, revocation: Revocation): string =>
  `${erased ? "The tokens were erased." : "There were no stored tokens."} ${REVOCATIONS[revocation]}`;

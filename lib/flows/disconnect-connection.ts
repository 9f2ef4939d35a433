import { type Actor, actorName } from "#lib/auth/actor";
import { recordAudit } from "#lib/auth/audit";
import { noteRevocation } from "#lib/connections/connection-history-store";
import { deleteUnconnected } from "#lib/connections/connection-store";
import { eraseGrant, type SealedTokens } from "#lib/connections/grant-store";
import { openToken } from "#lib/connections/token-seal";
import type { DisconnectResult } from "#lib/contracts/connections";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/ids";
import { logger } from "#lib/observability/logger";
import { revokeToken } from "#lib/platform/oauth";

type Revocation = DisconnectResult["revocation"];

export type DisconnectOutcome =
  | { outcome: "disconnected"; erased: boolean; revocation: Revocation }
  | { outcome: "removed" }
  | { outcome: "not_found" };

/**
 * Ends a connection: the tokens are erased first, whatever the platform says,
 * then taken back there; the timeline tells of both. One that never had tokens
 * is removed.
 */
export async function disconnectConnection(actor: Actor, id: ConnectionId, now = new Date()): Promise<DisconnectOutcome> {
  const { workspaceId } = actor;
  const target = { kind: "connection", id };
  if (await deleteUnconnected(workspaceId, id)) {
    await recordAudit(actor, { action: "connection.disconnected", target, after: { connectedBefore: false } });
    return { outcome: "removed" };
  }
  const tokens = await eraseGrant(workspaceId, id, actorName(actor), now);
  if (!tokens) return { outcome: "not_found" };
  const [erased] = tokens;
  if (!erased) return { outcome: "disconnected", erased: false, revocation: "not_possible" };
  await recordAudit(actor, { action: "connection.disconnected", target, after: { erased: true } });
  const revocation = await revoke(workspaceId, id, erased);
  await noteRevocation(workspaceId, id, revocation, new Date());
  return { outcome: "disconnected", erased: true, revocation };
}

async function revoke(workspaceId: WorkspaceId, id: ConnectionId, { accessSealed, refreshSealed }: SealedTokens): Promise<Revocation> {
  try {
    // RFC 7009 section 2.1: with the refresh token the whole grant goes.
    const token = refreshSealed
      ? await openToken(workspaceId, id, "refresh", refreshSealed)
      : await openToken(workspaceId, id, "access", accessSealed);
    return await revokeToken(token);
  } catch (error) {
    logger().warn({ connectionId: id, reason: (error as Error).name }, "the tokens could not be opened to be revoked");
    return "not_possible";
  }
}

const REVOCATIONS: Record<Revocation, string> = {
  revoked: "The platform confirmed that the access is taken back.",
  not_offered: "No address to take them back at is known (PLATFORM_REVOKE_URL): take the access back on the platform's own pages.",
  failed: "The platform did not confirm that the access is taken back: do it on the platform's own pages.",
  not_possible: "There was nothing that the platform could be asked to take back.",
};

/** What became of the tokens, here and at the platform, in words. */
export const disconnectSentence = (erased: boolean, revocation: Revocation): string =>
  `${erased ? "The tokens are erased here." : "There were no tokens here."} ${REVOCATIONS[revocation]}`;

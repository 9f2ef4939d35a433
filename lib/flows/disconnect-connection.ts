import { type Actor, actorName } from "#lib/auth/actor";
import { deleteUnconnected } from "#lib/connections/connection-store";
import { eraseGrant } from "#lib/connections/grant-store";
import { openToken } from "#lib/connections/token-seal";
import type { ConnectionId } from "#lib/contracts/ids";
import { logger } from "#lib/observability/logger";
import { revokeToken } from "#lib/platform/oauth";

export type DisconnectOutcome = { outcome: "disconnected"; revoked: boolean } | { outcome: "removed" } | { outcome: "not_found" };

/**
 * Ends a connection: the tokens are erased first, whatever the platform says,
 * then taken back there. One that never had tokens is removed.
 */
export async function disconnectConnection(actor: Actor, id: ConnectionId, now = new Date()): Promise<DisconnectOutcome> {
  const { workspaceId } = actor;
  if (await deleteUnconnected(workspaceId, id)) return { outcome: "removed" };
  const erased = await eraseGrant(workspaceId, id, actorName(actor), now);
  if (!erased) return { outcome: "not_found" };
  const [tokens] = erased;
  if (!tokens) return { outcome: "disconnected", revoked: false };
  try {
    // RFC 7009 section 2.1: with the refresh token the whole grant goes.
    const token = tokens.refreshSealed
      ? await openToken(workspaceId, id, "refresh", tokens.refreshSealed)
      : await openToken(workspaceId, id, "access", tokens.accessSealed);
    return { outcome: "disconnected", revoked: (await revokeToken(token)) === "revoked" };
  } catch (error) {
    logger().warn({ connectionId: id, reason: (error as Error).name }, "the tokens could not be opened to be revoked");
    return { outcome: "disconnected", revoked: false };
  }
}

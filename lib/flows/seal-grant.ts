import type { SealedGrant } from "#lib/connections/grant-store";
import { renewalTime } from "#lib/connections/renewal-schedule";
import { sealTokens } from "#lib/connections/token-seal";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/ids";
import type { TokenGrant } from "#lib/platform/oauth";

/**
 * What the platform granted, sealed and with its next renewal, ready to store.
 *
 * @param keepsRefreshToken an answer without a refresh token leaves the old one in force (RFC 6749 section 6)
 * @throws VaultError `no_key`
 */
export async function sealGrant(
  workspaceId: WorkspaceId,
  connectionId: ConnectionId,
  grant: TokenGrant,
  { keepsRefreshToken, now }: { keepsRefreshToken: boolean; now: Date },
): Promise<SealedGrant> {
  const { expiresAt, expiryKnown, scopes, account, integrationId } = grant;
  const hasRefreshToken = keepsRefreshToken || grant.refreshToken !== null;
  return {
    ...(await sealTokens(workspaceId, connectionId, grant)),
    expiresAt,
    expiryKnown,
    scopes,
    account,
    integrationId,
    nextRefreshAt: renewalTime({ expiresAt, expiryKnown, hasRefreshToken }, now, Math.random()),
  };
}

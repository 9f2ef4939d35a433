import type { SealedGrant } from "#lib/connections/tokens/grant-store";
import { renewalTime } from "#lib/connections/tokens/renewal-schedule";
import { sealRefreshToken, sealTokens } from "#lib/connections/tokens/token-seal";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import type { TokenGrant } from "#lib/platform/oauth/oauth";

/** Seals a grant. @param keepsRefreshToken an answer without one leaves the old valid (RFC 6749 section 6) @throws VaultError `no_key` */
export async function sealGrant(
  workspaceId: WorkspaceId,
  connectionId: ConnectionId,
  grant: TokenGrant,
  { keepsRefreshToken, now }: { keepsRefreshToken: boolean; now: Date },
): Promise<SealedGrant & { accessSealed: string }> {
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

/** Seals a rotated refresh token that came without a usable access token and replaces only the one before. @throws VaultError `no_key` */
export async function sealRotation(workspaceId: WorkspaceId, connectionId: ConnectionId, refreshToken: string): Promise<SealedGrant> {
  const { sealed, keyId } = await sealRefreshToken(workspaceId, connectionId, refreshToken);
  const nothingNew = { scopes: null, account: null, integrationId: null, nextRefreshAt: null, expiryKnown: false, expiresAt: new Date(0) };
  return { accessSealed: null, refreshSealed: sealed, keyId, ...nothingNew };
}

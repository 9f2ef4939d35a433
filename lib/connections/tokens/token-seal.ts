import type { WorkspaceId } from "#lib/contracts/api/ids";
import { logger } from "#lib/observability/logger";
import { isVaultError, open, type SealContext, seal } from "#lib/vault/vault";

type TokenField = "access" | "refresh";

const placeOf = (workspaceId: WorkspaceId, connectionId: string, field: TokenField): SealContext => ({
  workspaceId,
  table: "connection_tokens",
  row: connectionId,
  field,
});

type PlainTokens = { accessToken: string; refreshToken: string | null };

/** @throws VaultError `no_key` */
export async function sealTokens(workspaceId: WorkspaceId, connectionId: string, { accessToken, refreshToken }: PlainTokens) {
  const access = await seal(accessToken, placeOf(workspaceId, connectionId, "access"));
  const refresh = refreshToken === null ? null : await seal(refreshToken, placeOf(workspaceId, connectionId, "refresh"));
  return { accessSealed: access.sealed, refreshSealed: refresh?.sealed ?? null, keyId: access.keyId };
}

export const sealRefreshToken = (workspaceId: WorkspaceId, connectionId: string, refreshToken: string) =>
  seal(refreshToken, placeOf(workspaceId, connectionId, "refresh"));

/** @throws VaultError if it can't be opened */
export const openToken = (workspaceId: WorkspaceId, connectionId: string, field: TokenField, sealed: string): Promise<string> =>
  open(sealed, placeOf(workspaceId, connectionId, field));

/** Returns the refresh token if there is one: revoking it ends the whole grant (RFC 7009 section 2.1). Null if it can't be opened. */
export async function openRevocable(
  workspaceId: WorkspaceId,
  connectionId: string,
  { accessSealed, refreshSealed }: { accessSealed: string | null; refreshSealed: string | null },
): Promise<string | null> {
  try {
    if (refreshSealed) return await openToken(workspaceId, connectionId, "refresh", refreshSealed);
    return accessSealed && (await openToken(workspaceId, connectionId, "access", accessSealed));
  } catch (error) {
    if (!isVaultError(error)) throw error;
    logger().warn({ connectionId, vaultCode: error.code }, "the tokens could not be decrypted for revocation");
    return null;
  }
}

export const verifierPlace = (workspaceId: WorkspaceId, stateHash: string): SealContext => ({
  workspaceId,
  table: "authorization_attempts",
  row: stateHash,
  field: "verifier",
});

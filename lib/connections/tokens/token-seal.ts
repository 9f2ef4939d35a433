import type { WorkspaceId } from "#lib/contracts/api/ids";
import { open, type SealContext, seal } from "#lib/vault/vault";

/** Places in the vault that belong to connections. */
type TokenField = "access" | "refresh";

const placeOf = (workspaceId: WorkspaceId, connectionId: string, field: TokenField): SealContext => ({
  workspaceId,
  table: "connection_tokens",
  row: connectionId,
  field,
});

type PlainTokens = { accessToken: string; refreshToken: string | null };

/**
 * Seals the tokens of one connection for its row.
 *
 * @throws VaultError `no_key`
 */
export async function sealTokens(workspaceId: WorkspaceId, connectionId: string, { accessToken, refreshToken }: PlainTokens) {
  const access = await seal(accessToken, placeOf(workspaceId, connectionId, "access"));
  const refresh = refreshToken === null ? null : await seal(refreshToken, placeOf(workspaceId, connectionId, "refresh"));
  return { accessSealed: access.sealed, refreshSealed: refresh?.sealed ?? null, keyId: access.keyId };
}

/** @throws VaultError `no_key` */
export const sealRefreshToken = (workspaceId: WorkspaceId, connectionId: string, refreshToken: string) =>
  seal(refreshToken, placeOf(workspaceId, connectionId, "refresh"));

/** @throws VaultError when it can't be opened (any more) */
export const openToken = (workspaceId: WorkspaceId, connectionId: string, field: TokenField, sealed: string): Promise<string> =>
  open(sealed, placeOf(workspaceId, connectionId, field));

/** A PKCE verifier, sealed for the attempt that it belongs to. */
export const verifierPlace = (workspaceId: WorkspaceId, stateHash: string): SealContext => ({
  workspaceId,
  table: "authorization_attempts",
  row: stateHash,
  field: "verifier",
});

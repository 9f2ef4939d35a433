import { noteRevocation } from "#lib/connections/connection-history-store";
import type { SealedGrant } from "#lib/connections/tokens/grant-store";
import { mayShareAccount } from "#lib/connections/tokens/kept-grant-store";
import { openToken } from "#lib/connections/tokens/token-seal";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { logger } from "#lib/observability/logger";
import { revocationEnds, revokeToken } from "#lib/platform/oauth/oauth";
import { isVaultError } from "#lib/vault/vault-error";

/** `left`: not asked for, because it could end an access that is in use. */
export type Revocation = Awaited<ReturnType<typeof revokeToken>> | "left" | "not_possible";

type Unkept = {
  /** The token to revoke; null when it could not be opened. */
  token: string | null;
  account: string | null;
  /** What is revoked, for the timeline: "the access of the connection before". */
  what: string;
  /** A person has ended this very grant: then it ends whatever else does. */
  wanted?: boolean;
};

const REASONS: Record<Exclude<Revocation, "revoked">, string> = {
  not_offered: "no revocation URL is configured (PLATFORM_REVOKE_URL)",
  failed: "the platform did not confirm",
  not_possible: "the tokens could not be decrypted",
  left: "revoking it could end the access that is in use (PLATFORM_REVOKES)",
};

/**
 * Revokes a grant that is not kept, unless that could end one that is
 * (docs/decisions/0034), and notes in the timeline what became of it.
 */
export async function revokeUnkept(workspaceId: WorkspaceId, id: ConnectionId, unkept: Unkept): Promise<Revocation> {
  const how = await revoke(id, unkept);
  const detail = how === "revoked" ? unkept.what : `${unkept.what}: ${REASONS[how]}`;
  await noteRevocation(workspaceId, id, how === "revoked", detail, new Date()).catch((error: Error) =>
    logger().warn(
      { connectionId: id, revocation: how, reason: error.message },
      "a revocation could not be recorded in the connection history",
    ),
  );
  return how;
}

async function revoke(id: ConnectionId, { token, account, wanted }: Unkept): Promise<Revocation> {
  if (token === null) return "not_possible";
  if (!wanted && revocationEnds() === "account" && (await sharesAccount(id, account))) return "left";
  return revokeToken(token);
}

/** While the database can't say, nothing that may be in use is ended. */
async function sharesAccount(id: ConnectionId, account: string | null): Promise<boolean> {
  return mayShareAccount(id, account).catch(() => true);
}

/**
 * The token to revoke a grant with: with the refresh token all of the grant
 * goes (RFC 7009 section 2.1).
 *
 * @returns null when it can't be opened
 */
export async function revocableOf(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { accessSealed, refreshSealed }: Pick<SealedGrant, "accessSealed" | "refreshSealed">,
): Promise<string | null> {
  try {
    if (refreshSealed) return await openToken(workspaceId, id, "refresh", refreshSealed);
    return accessSealed && (await openToken(workspaceId, id, "access", accessSealed));
  } catch (error) {
    if (!isVaultError(error)) throw error;
    logger().warn({ connectionId: id, vaultCode: error.code }, "the tokens could not be decrypted for revocation");
    return null;
  }
}

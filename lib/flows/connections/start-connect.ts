import type { Actor } from "#lib/auth/actor";
import { insertAttempt } from "#lib/connections/authorization-attempt-store";
import { findConnection, insertPending } from "#lib/connections/connection-store";
import { verifierPlace } from "#lib/connections/tokens/token-seal";
import { AppError } from "#lib/contracts/api/app-error";
import { type ConnectionId, connectionId as toConnectionId, type WorkspaceId } from "#lib/contracts/api/ids";
import { authorizationUrl, newVerifier, platformSetup, redirectUri, requiredScopes } from "#lib/platform/oauth/oauth";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { seal } from "#lib/vault/vault";

type Request = { name?: string | undefined; connectionId?: string | undefined };

/** Starts an authorization. Its state is random, kept as a hash, bound to this browser session, good for one use and ten minutes.
 * @throws AppError `conflict` for an API key or without a platform, `not_found` */
export async function startConnect(actor: Actor, request: Request, now: Date) {
  const { workspaceId, by } = actor;
  if (by.kind !== "session")
    throw new AppError("conflict", "Connecting requires a signed-in user with a browser. Sign in and click Connect.");
  const { missing } = platformSetup();
  if (missing.length > 0)
    throw new AppError("conflict", `No platform is configured. Set ${missing.join(", ")} and restart Signalbox, or set SANDBOX=on.`);
  const scopes = requiredScopes();
  const connectionId = await chooseConnection(workspaceId, request, scopes, now);
  const state = newToken();
  const stateHash = hashToken(state);
  const verifier = newVerifier();
  const verifierSealed = verifier === null ? null : (await seal(verifier, verifierPlace(workspaceId, stateHash))).sealed;
  const attempt = { stateHash, connectionId, userId: by.userId, sessionHash: by.sessionHash, redirectUri: redirectUri(), verifierSealed };
  await insertAttempt(workspaceId, attempt, now);
  const asked = { workspaceId, state, verifier, redirectUri: attempt.redirectUri, scopes };
  return { connectionId, authorizationUrl: await authorizationUrl(asked) };
}

async function chooseConnection(workspaceId: WorkspaceId, request: Request, scopes: string[], now: Date): Promise<ConnectionId> {
  if (!request.connectionId) return insertPending(workspaceId, request.name, scopes);
  const found = await findConnection(workspaceId, request.connectionId, now);
  if (!found) throw new AppError("not_found", "There is no connection with that ID.");
  return toConnectionId.parse(found.id);
}

import { type Actor, actorName } from "#lib/auth/actor";
import { type AuthorizationAttempt, claimAttempt, findAttempt, findAwaitedConnection } from "#lib/connections/authorization-attempt-store";
import { markConnectFailed } from "#lib/connections/connection-store";
import { insertGrant } from "#lib/connections/grant-store";
import { verifierPlace } from "#lib/connections/token-seal";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import type { ConnectionId } from "#lib/contracts/ids";
import { logger } from "#lib/observability/logger";
import { exchangeCode, readCallback, revokeToken, type TokenGrant } from "#lib/platform/oauth";
import { hashToken } from "#lib/vault/opaque-token";
import { open } from "#lib/vault/vault";
import { isVaultError } from "#lib/vault/vault-error";
import { sealGrant } from "./seal-grant.ts";

/** How a trip ended. `connectionId` is null when the answer can't be laid to any connection of this browser. */
export type ConnectOutcome = { outcome: "connected" | ConnectionProblemCode; connectionId: ConnectionId | null };

/** What came back: a grant, or the problem and the platform's own code for it. */
type Result = { grant: TokenGrant } | { code: ConnectionProblemCode; raw: string | null };

/**
 * The way back from the permission dialog: the state must be this browser's,
 * fresh and unused; then the code is exchanged, the tokens sealed and stored.
 * A trip is used up by its first answer, a good one or a bad one.
 *
 * @param actor who brings the answer; null when the browser has no session
 * @param query the callback's
 */
export async function completeConnect(actor: Actor | null, query: URLSearchParams, now = new Date()): Promise<ConnectOutcome> {
  if (actor?.by.kind !== "session") return { outcome: "wrong_browser", connectionId: null };
  const { workspaceId } = actor;
  const { sessionHash } = actor.by;
  const state = query.getAll("state").length === 1 ? query.get("state") : null;
  const attempt = state ? await findAttempt(workspaceId, hashToken(state)) : null;
  if (!attempt) return withoutAttempt(actor, sessionHash, query, now);
  const { connectionId } = attempt;
  if (attempt.sessionHash !== sessionHash || attempt.userId !== actor.by.userId) return { outcome: "wrong_browser", connectionId };
  if (!attempt.usedAt && attempt.expiresAt <= now) return noteFailure(actor, connectionId, { code: "state_expired", raw: null }, now);
  const claimed = await claimAttempt(workspaceId, attempt.stateHash, sessionHash, now);
  // Answers that come twice change nothing, on the card neither: the first one stands there.
  if (!claimed) return { outcome: "state_used", connectionId };
  const result = await askPlatform(actor, attempt, query);
  return "grant" in result ? storeGrant(actor, connectionId, result.grant, now) : noteFailure(actor, connectionId, result, now);
}

/**
 * An answer that can't be laid to a trip grants nothing; it is shown on the
 * card that this browser waits for. Some platforms leave the state out when
 * they refuse: then the refusal's own cause is shown, and the trip stays open.
 */
async function withoutAttempt(actor: Actor, sessionHash: string, query: URLSearchParams, now: Date): Promise<ConnectOutcome> {
  const awaited = await findAwaitedConnection(actor.workspaceId, sessionHash, now);
  const callback = query.has("state") ? null : readCallback(query);
  const trouble: Trouble = callback?.outcome === "refused" && query.has("error") ? callback : { code: "state_mismatch", raw: null };
  return awaited ? noteFailure(actor, awaited, trouble, now) : { outcome: trouble.code, connectionId: null };
}

async function askPlatform(actor: Actor, attempt: AuthorizationAttempt, query: URLSearchParams): Promise<Result> {
  const callback = readCallback(query);
  if (callback.outcome === "refused") return callback;
  try {
    const { verifierSealed, stateHash, redirectUri } = attempt;
    const verifier = verifierSealed && (await open(verifierSealed, verifierPlace(actor.workspaceId, stateHash)));
    const answer = await exchangeCode({ parameters: callback.parameters, redirectUri, verifier });
    return answer.outcome === "granted" ? { grant: answer.grant } : answer;
  } catch (error) {
    return vaultTrouble(error);
  }
}

async function storeGrant(actor: Actor, connectionId: ConnectionId, grant: TokenGrant, now: Date): Promise<ConnectOutcome> {
  try {
    const sealed = await sealGrant(actor.workspaceId, connectionId, grant, { keepsRefreshToken: false, now });
    const stored = await insertGrant(actor.workspaceId, connectionId, sealed, actorName(actor), now);
    return stored ? { outcome: "connected", connectionId } : { outcome: "state_mismatch", connectionId: null };
  } catch (error) {
    // Tokens that nobody holds must not stay valid.
    await revokeToken(grant.refreshToken ?? grant.accessToken);
    return noteFailure(actor, connectionId, vaultTrouble(error), now);
  }
}

function vaultTrouble(error: unknown): { code: ConnectionProblemCode; raw: null } {
  if (!isVaultError(error)) throw error;
  logger().error({ vaultCode: error.code, reason: error.message }, "a connection's secrets can't be sealed or opened");
  return { code: "vault_key_lost", raw: null };
}

type Trouble = { code: ConnectionProblemCode; raw: string | null };

async function noteFailure(actor: Actor, connectionId: ConnectionId, { code, raw }: Trouble, now: Date): Promise<ConnectOutcome> {
  await markConnectFailed(actor.workspaceId, connectionId, { code, raw, actor: actorName(actor), now });
  return { outcome: code, connectionId };
}

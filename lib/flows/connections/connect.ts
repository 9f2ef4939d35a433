import { type Actor, actorName } from "#lib/auth/actor";
import { auditOf } from "#lib/auth/audit/audit";
import {
  type AuthorizationAttempt,
  claimAttempt,
  findAttempt,
  findAwaitedConnection,
  findConnection,
  insertAttempt,
  insertPending,
  markConnectFailed,
} from "#lib/connections/connection-store";
import { type SealedGrant, verifierPlace } from "#lib/connections/tokens/token-spool";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import { type ConnectionId, connectionId as toConnectionId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import { logger } from "#lib/observability/logger";
import {
  authorizationUrl,
  exchangeCode,
  findConsentPage,
  type Leftover,
  platformSetup,
  readCallback,
  redirectUri,
  requiredScopes,
  type TokenGrant,
} from "#lib/platform/oauth";
import { type Clock, systemClock } from "#lib/time/clock";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { isVaultError, open, seal } from "#lib/vault/vault";
import { noteTokenWork, revokeUnkept, sealGrant, storeTokens } from "./tokens.ts";

type Request = { name?: string | undefined; connectionId?: string | undefined };

/** Starts an authorization. Its state is random, kept as a hash, bound to this browser session, good for one use and ten minutes.
 * @throws AppError `conflict` for an API key or without a platform, `not_found`, `unavailable` */
export async function startConnect(actor: Actor, request: Request, now: Date) {
  const { workspaceId, by } = actor;
  if (by.kind !== "session")
    throw new AppError("conflict", "Connecting requires a signed-in user with a browser. Sign in and click Connect.");
  const { missing } = platformSetup();
  if (missing.length > 0)
    throw new AppError("conflict", `No platform is configured. Set ${missing.join(", ")} and restart Signalbox, or set SANDBOX=on.`);
  const scopes = requiredScopes();
  const { authorizeUrl, verifier } = await findConsentPage();
  const connectionId = await chooseConnection(workspaceId, request, scopes, now);
  const state = newToken();
  const stateHash = hashToken(state);
  const verifierSealed = verifier === null ? null : (await seal(verifier, verifierPlace(workspaceId, stateHash))).sealed;
  const attempt = { stateHash, connectionId, userId: by.userId, sessionHash: by.sessionHash, redirectUri: redirectUri(), verifierSealed };
  await insertAttempt(workspaceId, attempt, now);
  const asked = { workspaceId, authorizeUrl, state, verifier, redirectUri: attempt.redirectUri, scopes };
  return { connectionId, authorizationUrl: await authorizationUrl(asked) };
}

async function chooseConnection(workspaceId: WorkspaceId, request: Request, scopes: string[], now: Date): Promise<ConnectionId> {
  if (!request.connectionId) return insertPending(workspaceId, request.name, scopes);
  const found = await expectFound(findConnection(workspaceId, request.connectionId, now), "connection with that ID");
  return toConnectionId.parse(found.id);
}

/** `connectionId` is null when the answer belongs to no connection of this browser. */
export type ConnectOutcome = { outcome: "connected" | ConnectionProblemCode; connectionId: ConnectionId | null };

type Result = { grant: TokenGrant } | { code: ConnectionProblemCode; raw: string | null; leftover?: Leftover };

/** Completes an authorization: the state must be this browser's, fresh and unused; its first answer, good or bad, uses it up.
 * @param actor null when the browser has no session */
export async function completeConnect(actor: Actor | null, query: URLSearchParams, clock = systemClock): Promise<ConnectOutcome> {
  const now = new Date(clock.now());
  const ended = await noteTokenWork(complete(actor, query, now, clock));
  if (!actor) return ended;
  const { outcome, connectionId } = ended;
  const connection = connectionId && (await findConnection(actor.workspaceId, connectionId, now));
  const target = connection && { kind: "connection", id: connection.id, name: connection.name };
  const after = { outcome, ...(connection && { state: connection.state, account: connection.account, scopes: connection.grantedScopes }) };
  const action = outcome === "connected" ? "connection.connected" : "connection.failed";
  await auditOf(actor).record({ action, ...(target && { target }), after });
  return ended;
}

async function complete(actor: Actor | null, query: URLSearchParams, now: Date, clock: Clock): Promise<ConnectOutcome> {
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
  // A repeated answer changes nothing: the first one counts.
  if (!claimed) return { outcome: "state_used", connectionId };
  const result = await askPlatform(actor, attempt, query, clock);
  if ("grant" in result) return storeGrant(actor, attempt, result.grant, now, clock);
  if (result.leftover) {
    const what = "the tokens of an unusable response";
    await revokeUnkept({ workspaceId, connectionId, token: result.leftover.revocable, account: null, what }, clock);
  }
  return noteFailure(actor, connectionId, result, now);
}

/** Grants nothing. Some platforms omit the state when they return an error: then that is shown, and the attempt stays open. */
async function withoutAttempt(actor: Actor, sessionHash: string, query: URLSearchParams, now: Date): Promise<ConnectOutcome> {
  const awaited = await findAwaitedConnection(actor.workspaceId, sessionHash, now);
  const callback = query.has("state") ? null : await readCallback(query);
  const trouble: Trouble = callback?.outcome === "rejected" && query.has("error") ? callback : { code: "state_mismatch", raw: null };
  return awaited ? noteFailure(actor, awaited, trouble, now) : { outcome: trouble.code, connectionId: null };
}

async function askPlatform(actor: Actor, attempt: AuthorizationAttempt, query: URLSearchParams, clock: Clock): Promise<Result> {
  const callback = await readCallback(query);
  if (callback.outcome === "rejected") return callback;
  try {
    const { verifierSealed, stateHash, redirectUri } = attempt;
    const verifier = verifierSealed && (await open(verifierSealed, verifierPlace(actor.workspaceId, stateHash)));
    const answer = await exchangeCode({ parameters: callback.parameters, redirectUri, verifier }, clock);
    return answer.outcome === "granted" ? { grant: answer.grant } : answer;
  } catch (error) {
    return vaultTrouble(error);
  }
}

/** A person waits for this in a browser. */
const STORE_WITHIN_MS = 8000;

/** Stores the grant, keeps it sealed on disk until it can be stored, or revokes it: the exchange can't be repeated. */
async function storeGrant(
  actor: Actor,
  attempt: AuthorizationAttempt,
  grant: TokenGrant,
  now: Date,
  clock: Clock,
): Promise<ConnectOutcome> {
  const { workspaceId } = actor;
  const { connectionId, stateHash } = attempt;
  let sealed: SealedGrant;
  try {
    sealed = await sealGrant(workspaceId, connectionId, grant, { keepsRefreshToken: false, now });
  } catch (error) {
    const token = grant.refreshToken ?? grant.accessToken;
    const what = "tokens that could not be encrypted";
    await revokeUnkept({ workspaceId, connectionId, token, account: grant.account, what }, clock);
    return noteFailure(actor, connectionId, vaultTrouble(error), now);
  }
  const permission = { workspaceId, connectionId, stateHash, by: actorName(actor), at: now };
  const entry = { kind: "permission" as const, ...permission, grant: sealed, writtenAt: new Date(clock.now()) };
  const giveUpAt = clock.elapsed() + STORE_WITHIN_MS;
  try {
    const stored = await storeTokens(entry, () => clock.elapsed() > giveUpAt, clock);
    if (stored === "stored") return { outcome: "connected", connectionId };
    return await noteFailure(actor, connectionId, { code: "overtaken", raw: null }, now);
  } catch (error) {
    logger().error({ err: error, connectionId }, "granted tokens could not be stored");
    return noteFailure(actor, connectionId, { code: "grant_not_stored", raw: null }, now);
  }
}

function vaultTrouble(error: unknown): { code: ConnectionProblemCode; raw: null } {
  if (!isVaultError(error)) throw error;
  logger().error({ vaultCode: error.code, reason: error.message }, "a connection's secrets can't be encrypted or decrypted");
  return { code: "vault_key_lost", raw: null };
}

type Trouble = { code: ConnectionProblemCode; raw: string | null };

async function noteFailure(actor: Actor, connectionId: ConnectionId, { code, raw }: Trouble, now: Date): Promise<ConnectOutcome> {
  const noted = await markConnectFailed(actor.workspaceId, connectionId, { code, raw, actor: actorName(actor), now });
  return { outcome: code, connectionId: noted ? connectionId : null };
}

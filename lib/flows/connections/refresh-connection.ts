import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "#lib/auth/audit/audit";
import { nextState } from "#lib/connections/connection-state";
import { findTokens, type SealedTokens } from "#lib/connections/tokens/grant-store";
import {
  claimRefresh,
  extendClaim,
  findRefreshState,
  listDue,
  markDelayed,
  markExpiryNear,
  markKeyFound,
  markKeyLost,
  markLost,
  type RefreshClaim,
  readMoment,
  releaseClaim,
} from "#lib/connections/tokens/refresh-claim-store";
import { refreshWait } from "#lib/connections/tokens/renewal-schedule";
import { openToken, type SealedGrant } from "#lib/connections/tokens/token-spool";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import type { ConnectionDetail, ConnectionProblemCode } from "#lib/contracts/connections";
import { logger } from "#lib/observability/logger";
import { refreshTokens, type TokenFailure, type TokenGrant } from "#lib/platform/oauth";
import { type Clock, systemClock, timeSince } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";
import { isVaultError } from "#lib/vault/vault";
import { readConnection } from "./connections.ts";
import { noteTokenWork, sealGrant, sealRotation, storeLeft, storeSpooled, storeTokens, tokenWorkSettled } from "./tokens.ts";

/** Renews on request; a renewal since `askedAt` is enough. @throws AppError `not_found`; `conflict` when only a new grant can renew it */
export async function renewConnection({ workspaceId, audit }: Context, id: ConnectionId, askedAt: Date): Promise<ConnectionDetail | null> {
  const before = await expectFound(readConnection(workspaceId, id, askedAt), "connection with that ID");
  const { outcome } = await refreshAndWait(workspaceId, id, askedAt);
  if (outcome === "not_renewable") throw new AppError("conflict", `${before.sentence} It can't be renewed: reconnect it.`);
  const after = await readConnection(workspaceId, id, new Date(systemClock.now()));
  const target = { kind: "connection", id, name: before.name };
  const action = outcome === "refreshed" || outcome === "superseded" ? "connection.renewed" : "connection.renewal_failed";
  await audit.record({ action, target, before: valuesOf(before), after: { ...valuesOf(after), outcome } });
  return after;
}

const valuesOf = (connection: ConnectionDetail | null) => ({
  state: connection?.state ?? null,
  accessExpiresAt: connection?.accessExpiresAt ?? null,
  problem: connection?.problem?.code ?? null,
});

export { REFRESH_ROUND_MS } from "#lib/connections/tokens/renewal-schedule";

const AT_ONCE = 4;
const BATCH = 100;

/** Stores spooled tokens, then renews what is due, four at a time. Returns how many were due. */
export async function refreshDueConnections(signal?: AbortSignal, clock = systemClock): Promise<number> {
  await storeLeft(clock);
  const due = await listDue(BATCH);
  const waiting = [...due];
  const lane = async () => {
    for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) {
      const { workspaceId, connectionId } = next;
      await refreshConnection(workspaceId, connectionId, { onlyIfDue: true, clock, ...(signal && { signal }) }).catch((error: Error) =>
        logger().error({ connectionId, reason: error.message }, "a connection could not be renewed"),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (signal?.aborted) await tokenWorkSettled();
  return due.length;
}

/** `superseded`: newer tokens were stored meanwhile. `in_progress`: another process has the claim. `not_renewable`: needs a new grant. */
export type RefreshOutcome =
  | { outcome: "refreshed" | "superseded" | "in_progress" | "not_renewable" }
  | { outcome: "delayed" | "lost"; code: ConnectionProblemCode };

type Target = { workspaceId: WorkspaceId; id: ConnectionId; signal?: AbortSignal | undefined; clock: Clock };

type RefreshOptions = {
  onlyIfDue?: boolean;
  /** A renewal since then is enough. */
  askedAt?: Date;
  /** Aborted when the process stops: what can't be stored is then left to the next start. */
  signal?: AbortSignal;
  clock?: Clock;
};

/** Renews one connection. Any number of processes may call it: one talks to the platform, and the newest grant wins. */
export async function refreshConnection(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { onlyIfDue = false, askedAt, signal, clock = systemClock }: RefreshOptions = {},
): Promise<RefreshOutcome> {
  const target = { workspaceId, id, signal, clock };
  const since = askedAt ? await readMoment(askedAt, clock) : null;
  const claim = await claimRefresh(workspaceId, id, { onlyIfDue, since });
  if (!claim) return withoutClaim(target);
  try {
    return await noteTokenWork(renew(target, claim));
  } catch (error) {
    // While newer tokens wait to be stored, nobody may use the spent ones.
    if (!(error instanceof NotStoredYet)) await releaseClaim(workspaceId, id, claim.version).catch(() => undefined);
    throw error;
  }
}

const POLL_MS = 150;
const WAIT_TIMEOUT_MS = 12_000;

/** Refreshes in progress, by connection: concurrent callers share one query. */
const waitedFor = new Map<string, Promise<RefreshOutcome>>();

/** Refreshes for a caller who waits for the result; a refresh in progress counts as theirs. */
export async function refreshAndWait(workspaceId: WorkspaceId, id: ConnectionId, askedAt: Date): Promise<RefreshOutcome> {
  const key = `${workspaceId} ${id}`;
  const giveUpAt = systemClock.elapsed() + WAIT_TIMEOUT_MS;
  for (;;) {
    const others = waitedFor.get(key);
    const looking =
      others ??
      refreshConnection(workspaceId, id, { askedAt })
        .then(afterPause)
        .finally(() => waitedFor.delete(key));
    if (!others) waitedFor.set(key, looking);
    const result = await looking;
    if (result.outcome === "refreshed" && others) return { outcome: "superseded" };
    if (result.outcome !== "in_progress" || systemClock.elapsed() > giveUpAt) return result;
  }
}

/** Keeps callers from polling at once while another process has the claim. */
async function afterPause(result: RefreshOutcome): Promise<RefreshOutcome> {
  if (result.outcome === "in_progress") await sleep(POLL_MS);
  return result;
}

/** Explains a missing claim. It may be free again by now: then another process has just renewed. */
async function withoutClaim({ workspaceId, id }: Target): Promise<RefreshOutcome> {
  const current = await findRefreshState(workspaceId, id);
  if (current?.claimed) return { outcome: "in_progress" };
  if (current?.waitingFor) return { outcome: "delayed", code: current.waitingFor };
  return { outcome: current && (current.keyLost || nextState(current.state, "delayed")) ? "superseded" : "not_renewable" };
}

async function renew(target: Target, claim: RefreshClaim): Promise<RefreshOutcome> {
  const { workspaceId, id, clock } = target;
  if ((await storeSpooled(id, clock)) > 0) {
    await releaseClaim(workspaceId, id, claim.version);
    return { outcome: "refreshed" };
  }
  // Read after the claim: earlier ones may be the tokens that the last holder has replaced.
  const tokens = await findTokens(workspaceId, id);
  if (!tokens?.refreshSealed) return withoutRefreshToken(target, claim, tokens);
  const opened = await openRefreshToken(target, tokens.refreshSealed);
  const now = new Date(clock.now());
  if (opened.outcome === "key_lost") {
    await markKeyLost(workspaceId, id, claim, { raw: opened.raw, now });
    return { outcome: "lost", code: "vault_key_lost" };
  }
  if (claim.keyLost) await markKeyFound(workspaceId, id, claim.version, now);
  if (!(await stillHolds(target, claim))) return { outcome: "in_progress" };
  const answer = await refreshTokens(opened.refreshToken, clock);
  if (answer.outcome === "granted") return storeRefreshed(target, claim, answer.grant);
  return onRefreshFailed(target, claim, tokens, answer);
}

/** A claim that was extended longer ago than this is extended again before the request. Far below the lease. */
const FRESH_CLAIM_MS = 30_000;

/** Extends the claim just before the request: a suspended machine may have lost it, and a refresh token used twice ends the grant. */
async function stillHolds({ workspaceId, id, clock }: Target, { version }: RefreshClaim): Promise<boolean> {
  for (;;) {
    const passed = timeSince(clock);
    if (!(await extendClaim(workspaceId, id, version))) return false;
    if (passed() < FRESH_CLAIM_MS) return true;
  }
}

async function openRefreshToken({ workspaceId, id }: Target, sealed: string) {
  try {
    return { outcome: "opened" as const, refreshToken: await openToken(workspaceId, id, "refresh", sealed) };
  } catch (error) {
    if (!isVaultError(error)) throw error;
    return { outcome: "key_lost" as const, raw: error.code };
  }
}

async function storeRefreshed(target: Target, claim: RefreshClaim, grant: TokenGrant): Promise<RefreshOutcome> {
  const sealed = await sealGrant(target.workspaceId, target.id, grant, { keepsRefreshToken: true, now: new Date(target.clock.now()) });
  return { outcome: (await store(target, claim, sealed)) ? "refreshed" : "superseded" };
}

/** The platform has renewed, and the database has not stored it yet; a sealed file keeps the tokens, and storing is retried. */
class NotStoredYet extends AppError {
  constructor() {
    super("unavailable", "Access was renewed, but the new tokens could not be stored yet. Signalbox retries until they are.");
  }
}

const CALLER_WAITS_MS = 10_000;

async function store(target: Target, { version, connectedAt }: RefreshClaim, grant: SealedGrant): Promise<boolean> {
  const { workspaceId, id: connectionId, signal, clock } = target;
  const entry = { kind: "refresh" as const, workspaceId, connectionId, version, connectedAt, grant, writtenAt: new Date(clock.now()) };
  const done = noteTokenWork(storeTokens(entry, () => signal?.aborted ?? false, clock));
  const late = () => "late" as const;
  const outcome = await inTime(done.catch(late), CALLER_WAITS_MS, late);
  if (outcome === "late") throw new NotStoredYet();
  return outcome === "stored";
}

/** Drops the tokens only for `invalid_grant` (RFC 6749 section 5.2) on the newest ones: a process whose claim had lapsed may have
 * rotated them. An unusable answer may still hold a refresh token, which has then replaced ours. */
async function onRefreshFailed(
  target: Target,
  claim: RefreshClaim,
  tokens: SealedTokens,
  { code, raw, retryAfterMs = 0, leftover }: TokenFailure,
): Promise<RefreshOutcome> {
  const { workspaceId, id, clock } = target;
  const now = new Date(clock.now());
  if (leftover?.refreshToken) {
    const kept = await store(target, claim, await sealRotation(workspaceId, id, leftover.refreshToken));
    if (!kept) return { outcome: "superseded" };
  }
  if (code === "code_rejected") {
    const tried = { version: claim.version, triedTokens: tokens.version };
    const lost = await markLost(workspaceId, id, tried, { code: "token_expired", raw, now });
    if (lost) return { outcome: "lost", code: "token_expired" };
    await releaseClaim(workspaceId, id, claim.version);
    return { outcome: "superseded" };
  }
  const waitMs = refreshWait(claim.failingMs, retryAfterMs);
  await markDelayed(workspaceId, id, claim.version, { code, raw, now, waitMs, asked: retryAfterMs > 0 });
  return { outcome: "delayed", code };
}

/** Marks the connection as expiring, or as ended once access has expired: there is nothing to renew with. */
async function withoutRefreshToken(target: Target, claim: RefreshClaim, tokens: SealedTokens | null): Promise<RefreshOutcome> {
  const { workspaceId, id, clock } = target;
  const now = new Date(clock.now());
  const current = await findRefreshState(workspaceId, id);
  if (current?.ended && tokens) {
    const tried = { version: claim.version, triedTokens: tokens.version };
    await markLost(workspaceId, id, tried, { code: "token_expired", raw: null, now });
  } else if (current?.state === "connected" && current.hasEnd) await markExpiryNear(workspaceId, id, claim.version, now);
  await releaseClaim(workspaceId, id, claim.version);
  return { outcome: "not_renewable" };
}

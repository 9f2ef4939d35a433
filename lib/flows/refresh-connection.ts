import { setTimeout as sleep } from "node:timers/promises";
import { nextState } from "#lib/connections/connection-state";
import { findTokens, type SealedTokens, updateGrant } from "#lib/connections/grant-store";
import {
  claimRefresh,
  findStanding,
  listDue,
  markDelayed,
  markExpiryNear,
  markKeyFound,
  markKeyLost,
  markLost,
  type RefreshClaim,
  releaseClaim,
} from "#lib/connections/refresh-claim-store";
import { retryTime } from "#lib/connections/renewal-schedule";
import { openToken } from "#lib/connections/token-seal";
import type { ConnectionProblemCode } from "#lib/contracts/connections";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/ids";
import { logger } from "#lib/observability/logger";
import { refreshTokens, type TokenFailure, type TokenGrant } from "#lib/platform/oauth";
import { isVaultError } from "#lib/vault/vault-error";
import { sealGrant } from "./seal-grant.ts";

/**
 * `superseded`: somebody else stored newer tokens meanwhile, all is well.
 * `in_progress`: another process has the claim. `not_renewable`: no such
 * connection, no refresh token, or a state from which there is no way back but a new permission.
 */
export type RefreshOutcome =
  | { outcome: "refreshed" | "superseded" | "in_progress" | "not_renewable" }
  | { outcome: "delayed" | "lost"; code: ConnectionProblemCode };

type Target = { workspaceId: WorkspaceId; id: ConnectionId };

type Wish = {
  /** Not before its time. */
  onlyIfDue?: boolean;
  /** When it was asked for: what was renewed since is answer enough. */
  askedAt?: Date;
  /** When the access ends that was found wanting: one that ends at another time is newer, and answer enough. */
  endingAt?: Date | null;
};

/**
 * Renews the access of one connection. Any number of processes may ask at
 * once: one of them talks to the platform, and the newest grant wins.
 */
export async function refreshConnection(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { onlyIfDue = false, askedAt, endingAt = null }: Wish = {},
): Promise<RefreshOutcome> {
  const now = new Date();
  const claim = await claimRefresh(workspaceId, id, { now, onlyIfDue, notSince: askedAt ?? null, endingAt });
  if (!claim) return { outcome: await withoutClaim({ workspaceId, id }) };
  try {
    return await renew({ workspaceId, id }, claim);
  } catch (error) {
    await releaseClaim(workspaceId, id, claim.version);
    throw error;
  }
}

const POLL_MS = 150;
const PATIENCE_MS = 12_000;

/** The same for a person or a program that waits for the result: what another process has under way counts as theirs. */
export async function refreshAndWait(workspaceId: WorkspaceId, id: ConnectionId, askedAt: Date): Promise<RefreshOutcome> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await refreshConnection(workspaceId, id, { askedAt });
    if (result.outcome !== "in_progress" || Date.now() > giveUpAt) return result;
    await sleep(POLL_MS);
  }
}

/** Why there was no claim to be had. It may have been given back since: then somebody has just renewed. */
async function withoutClaim({ workspaceId, id }: Target): Promise<"in_progress" | "superseded" | "not_renewable"> {
  const standing = await findStanding(workspaceId, id, new Date());
  if (standing?.claimed) return "in_progress";
  return standing && (standing.keyLost || nextState(standing.state, "delayed")) ? "superseded" : "not_renewable";
}

async function renew(target: Target, claim: RefreshClaim): Promise<RefreshOutcome> {
  const { workspaceId, id } = target;
  // Read after the claim: what was read before it may be the tokens that the last holder has replaced.
  const tokens = await findTokens(workspaceId, id);
  if (!tokens?.refreshSealed) return withoutRefreshToken(target, claim, tokens);
  const opened = await openRefreshToken(target, tokens.refreshSealed);
  const now = new Date();
  if (opened.outcome === "key_lost") {
    await markKeyLost(workspaceId, id, claim, { raw: opened.raw, now });
    return { outcome: "lost", code: "vault_key_lost" };
  }
  if (claim.keyLost) await markKeyFound(workspaceId, id, claim.version, now);
  const answer = await refreshTokens(opened.refreshToken);
  return answer.outcome === "granted" ? keep(target, claim, answer.grant) : giveWay(target, claim, tokens, answer);
}

async function openRefreshToken({ workspaceId, id }: Target, sealed: string) {
  try {
    return { outcome: "opened" as const, refreshToken: await openToken(workspaceId, id, "refresh", sealed) };
  } catch (error) {
    if (!isVaultError(error)) throw error;
    return { outcome: "key_lost" as const, raw: error.code };
  }
}

async function keep({ workspaceId, id }: Target, { version }: RefreshClaim, grant: TokenGrant): Promise<RefreshOutcome> {
  const now = new Date();
  const sealed = await sealGrant(workspaceId, id, grant, { keepsRefreshToken: true, now });
  return { outcome: (await updateGrant(workspaceId, id, version, sealed, now)) ? "refreshed" : "superseded" };
}

type Trouble = Pick<TokenFailure, "code" | "raw">;

/**
 * Only `invalid_grant` says that the tokens are dead (RFC 6749 section 5.2),
 * and only when they are still the newest: a process whose claim had lapsed
 * may have rotated them. Everything else can pass: the tokens stay.
 */
async function giveWay(
  { workspaceId, id }: Target,
  claim: RefreshClaim,
  tokens: SealedTokens,
  { code, raw }: Trouble,
): Promise<RefreshOutcome> {
  const now = new Date();
  if (code === "code_rejected") {
    const tried = { version: claim.version, triedTokens: tokens.version };
    const lost = await markLost(workspaceId, id, tried, { code: "token_expired", raw, now });
    if (lost) return { outcome: "lost", code: "token_expired" };
    await releaseClaim(workspaceId, id, claim.version);
    return { outcome: "superseded" };
  }
  const failingSince = claim.failingSince ?? now;
  await markDelayed(workspaceId, id, claim.version, { code, raw, now, failingSince, nextRefreshAt: retryTime(failingSince, now) });
  return { outcome: "delayed", code };
}

/** Nothing to renew with: the card is warned once, and told when the access has run out. */
async function withoutRefreshToken({ workspaceId, id }: Target, claim: RefreshClaim, tokens: SealedTokens | null): Promise<RefreshOutcome> {
  const now = new Date();
  const standing = await findStanding(workspaceId, id, now);
  const endsAt = standing?.accessExpiresAt;
  if (endsAt && endsAt <= now && tokens) {
    const tried = { version: claim.version, triedTokens: tokens.version };
    await markLost(workspaceId, id, tried, { code: "token_expired", raw: null, now });
  } else if (standing?.state === "connected" && endsAt) await markExpiryNear(workspaceId, id, claim.version, now);
  await releaseClaim(workspaceId, id, claim.version);
  return { outcome: "not_renewable" };
}

const AT_ONCE = 4;
const BATCH = 100;

/**
 * Renews whatever is due, in all workspaces, four at a time. One that fails
 * does not hold up the others.
 *
 * @returns how many were looked at
 */
export async function refreshDueConnections(now = new Date()): Promise<number> {
  const due = await listDue(now, BATCH);
  const waiting = [...due];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { workspaceId, connectionId } = next;
      await refreshConnection(workspaceId, connectionId, { onlyIfDue: true }).catch((error: Error) =>
        logger().error({ connectionId, reason: error.message }, "a connection could not be renewed"),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return due.length;
}

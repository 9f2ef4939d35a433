import { setTimeout as sleep } from "node:timers/promises";
import { REVOCATION_REASONS, type RevocationOutcome } from "#lib/connections/connection-problems";
import { noteRevocation } from "#lib/connections/connection-store";
import { insertGrant, isWorkspaceKnown, mayShareAccount, type UpdateOutcome, updateGrant } from "#lib/connections/tokens/grant-store";
import { extendClaim } from "#lib/connections/tokens/refresh-claim-store";
import { renewalTime } from "#lib/connections/tokens/renewal-schedule";
import {
  claimRevocations,
  delayRevocation,
  endRevocation,
  insertRevocation,
  openRevocation,
  type Revocation,
  type ToRevoke,
  type Unaskable,
} from "#lib/connections/tokens/revocation-store";
import {
  listSpooled,
  openRevocable,
  readSpooled,
  removeSpooled,
  type SealedGrant,
  type Spooled,
  sealRefreshToken,
  sealTokens,
  writeSpooled,
} from "#lib/connections/tokens/token-spool";
import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";
import { revocationEnds, revokeToken, type TokenGrant } from "#lib/platform/oauth";
import { type Clock, systemClock } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";
import { isVaultError } from "#lib/vault/vault";

type Written = { outcome: UpdateOutcome; replaced?: Revocation | Unaskable | null };

/** Files that this process is storing now. */
const inHand = new Set<string>();

/** Stores a grant: sealed to disk first, then into the database, with retries. A process that ends leaves the file to `storeSpooled`.
 * @param mayStop asked after a failure, when a file keeps the grant @throws the database's last error when it stopped */
export async function storeTokens(entry: Spooled, mayStop: () => boolean, clock: Clock): Promise<UpdateOutcome> {
  const file = await writeSpooled(entry);
  if (file) inHand.add(file);
  try {
    const written = await retryWrite(() => writeOnce(entry, new Date(clock.now())), {
      mayGiveUp: () => mayStop() && (file !== null || entry.kind === "permission"),
      ...(entry.kind === "refresh" && { between: () => extendClaim(entry.workspaceId, entry.connectionId, entry.version) }),
    });
    await finish(entry, written, clock);
    if (file) await removeSpooled(file);
    return written.outcome;
  } catch (error) {
    // Nothing else holds it: what can't be kept is revoked.
    if (file === null) await revokeDropped(entry, "replaced", clock);
    throw error;
  } finally {
    if (file) inHand.delete(file);
  }
}

async function writeOnce(entry: Spooled, now: Date): Promise<Written> {
  const { workspaceId, connectionId, grant } = entry;
  if (entry.kind === "refresh") return { outcome: await updateGrant(workspaceId, connectionId, entry, grant, now) };
  const { accessSealed } = grant;
  if (accessSealed === null) throw new AppError("internal", "A grant must have an access token.");
  return insertGrant(workspaceId, connectionId, { ...grant, accessSealed }, entry, now);
}

/** Revokes what is not kept: a grant that came too late, or the one that was replaced. */
async function finish(entry: Spooled, { outcome, replaced }: Written, clock: Clock): Promise<void> {
  if (outcome === "ended" || outcome === "replaced") await revokeDropped(entry, outcome, clock);
  if (replaced && typeof replaced !== "string") await tryRevocation(replaced, clock);
}

const DROPPED = {
  refresh: "tokens of a renewal that arrived too late",
  permission: "granted tokens that were not stored",
} as const;

async function revokeDropped(entry: Spooled, outcome: "ended" | "replaced", clock: Clock): Promise<void> {
  const { workspaceId, connectionId, grant, kind } = entry;
  const token = await openRevocable(workspaceId, connectionId, grant);
  const wanted = kind === "refresh" && outcome === "ended";
  await revokeUnkept({ workspaceId, connectionId, token, account: grant.account, what: DROPPED[kind], wanted }, clock);
}

/** Younger files may belong to another process of this machine that is still storing them. */
const LEAVE_MS = { refresh: 5000, permission: 60_000 } as const;

/** Stores what processes of this machine left on disk; each write is fenced by its version. @param of only this connection's, at once */
export async function storeSpooled(of?: ConnectionId, clock = systemClock): Promise<number> {
  let stored = 0;
  for (const name of await listSpooled(of)) {
    if (inHand.has(name) && of === undefined) continue;
    if (await storeFile(name, of !== undefined, clock)) stored += 1;
  }
  return stored;
}

export async function storeLeft(clock = systemClock): Promise<void> {
  await storeSpooled(undefined, clock).catch((error: Error) =>
    logger().warn({ reason: error.message }, "tokens saved on disk can't be stored yet"),
  );
}

/** Files whose problem is logged already, so that it isn't logged each second. */
const reported = new Set<string>();

async function storeFile(name: string, atOnce: boolean, clock: Clock): Promise<boolean> {
  const entry = await readOrReport(name);
  if (!entry) return false;
  const young = Math.abs(clock.now() - entry.writtenAt.getTime()) < LEAVE_MS[entry.kind];
  if (young && !(atOnce && entry.kind === "refresh")) return false;
  if (!(await isWorkspaceKnown(entry.workspaceId))) return report(name, "its workspace is not in this database");
  const written = await writeOnce(entry, new Date(clock.now()));
  await finish(entry, written, clock);
  await removeSpooled(name);
  logger().info({ connectionId: entry.connectionId, outcome: written.outcome }, "handled tokens that were saved on disk");
  return written.outcome === "stored";
}

async function readOrReport(name: string): Promise<Spooled | null> {
  try {
    return await readSpooled(name);
  } catch (error) {
    report(name, (error as Error).name);
    return null;
  }
}

function report(name: string, reason: string): false {
  if (!reported.has(name)) logger().warn({ file: name, reason }, "tokens saved on disk can't be stored");
  reported.add(name);
  return false;
}

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

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;
/** A silent database counts as one that failed. */
const ATTEMPT_MS = 10_000;

type Options = {
  mayGiveUp: () => boolean;
  /** Runs after each failure; its own failure is ignored. */
  between?: () => Promise<unknown>;
};

/** Repeats a write until it succeeds or may give up. The write must bear repetition: it may have been committed unnoticed. */
async function retryWrite<T>(write: () => Promise<T>, { mayGiveUp, between }: Options): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt(write());
    } catch (error) {
      if (mayGiveUp()) throw error;
      if (pause === FIRST_PAUSE_MS)
        logger().warn({ reason: (error as Error).message }, "new tokens can't be stored yet; retrying until they are");
      await sleep(pause);
      if (between) await attempt(between()).catch(() => undefined);
    }
  }
}

const attempt = <T>(work: Promise<T>): Promise<T> =>
  inTime(work, ATTEMPT_MS, () => {
    throw new AppError("unavailable", "The database does not respond.");
  });

const underWay = () => once("token-work", () => new Set<Promise<unknown>>());

/** Notes work that may hold the only copy of tokens: a stop waits for it (docs/decisions/0032). */
export function noteTokenWork<T>(work: Promise<T>): Promise<T> {
  const noted = work.finally(() => underWay().delete(noted));
  underWay().add(noted);
  noted.catch(() => undefined); // the caller handles it
  return noted;
}

/** Resolves when no token request of this process is in flight and no tokens wait to be stored. */
export const tokenWorkSettled = async (): Promise<void> => {
  while (underWay().size > 0) await Promise.allSettled(underWay());
};

/** `wanted`: a person has just ended this grant, so it is revoked whatever else that ends. */
type Asked = { token: string; account: string | null; connectionId: ConnectionId; wanted: boolean };

/** Revokes a grant that is not kept, unless that could end one that is (docs/decisions/0034). Unconfirmed ones are retried. */
export async function revokeUnkept(toRevoke: ToRevoke & { wanted?: boolean }, clock: Clock): Promise<RevocationOutcome> {
  const { wanted = false } = toRevoke;
  const kept = await keep(toRevoke, new Date(clock.now()));
  if (kept === null) return askOnce(toRevoke, wanted, clock);
  return typeof kept === "string" ? kept : tryRevocation(kept, clock, wanted);
}

async function keep(toRevoke: ToRevoke, now: Date): Promise<Revocation | Unaskable | null> {
  try {
    return await inTransaction(pool(), (client) => insertRevocation(client, toRevoke, now));
  } catch (error) {
    logger().warn({ connectionId: toRevoke.connectionId, reason: (error as Error).message }, "a token to revoke could not be stored");
    return null;
  }
}

/** Asks once, for a token that can't be stored: no database, or no key. */
async function askOnce(toRevoke: ToRevoke, wanted: boolean, clock: Clock): Promise<RevocationOutcome> {
  const { workspaceId, connectionId, token, account, what } = toRevoke;
  const how = token === null ? "not_possible" : await ask({ token, account, connectionId, wanted });
  const detail = how === "revoked" ? what : `${what}: ${REVOCATION_REASONS[how]}`;
  await noteRevocation(workspaceId, connectionId, how === "revoked", detail, new Date(clock.now())).catch(() => undefined);
  return how;
}

/** Asks the platform and records its answer. May be repeated: a token that is revoked already is confirmed again (RFC 7009). */
export async function tryRevocation(revocation: Revocation, clock: Clock, wanted = false): Promise<RevocationOutcome> {
  const asked = await askFor(revocation, wanted);
  // Another connection of the account keeps it from being retried, so it is reported as unconfirmed now.
  const how = asked === "failed" && (await isShared(revocation, false)) ? "unconfirmed" : asked;
  const now = new Date(clock.now());
  await record(revocation, how, now).catch((error: Error) =>
    logger().warn(
      { connectionId: revocation.connectionId, revocation: how, reason: error.message },
      "what became of a revocation could not be recorded; the platform is asked again",
    ),
  );
  return how;
}

const AT_ONCE = 4;

export async function revokeWaiting(): Promise<number> {
  const due = await claimRevocations(AT_ONCE);
  await Promise.all(due.map((revocation) => tryRevocation(revocation, systemClock)));
  return due.length;
}

async function record(revocation: Revocation, how: RevocationOutcome, now: Date): Promise<void> {
  if (how === "revoked") return endRevocation(revocation, "revoked", "", now);
  const wait = how === "failed" || how === "not_possible" ? waitAfter(revocation, now) : null;
  if (wait === null) return endRevocation(revocation, "failed", REVOCATION_REASONS[how], now);
  return delayRevocation(revocation, wait, REVOCATION_REASONS[how], now);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WAITS_MS = [10_000, MINUTE, 10 * MINUTE, HOUR];
const MAX_WAIT_MS = 6 * HOUR;
/** A token is kept no longer than this to be revoked. */
const MAX_AGE_MS = 7 * 24 * HOUR;

/** Returns milliseconds; null to give up. */
function waitAfter({ attempts, createdAt }: Revocation, now: Date): number | null {
  const wait = WAITS_MS[attempts] ?? MAX_WAIT_MS;
  return now.getTime() - createdAt.getTime() + wait > MAX_AGE_MS ? null : wait;
}

async function askFor(revocation: Revocation, wanted: boolean): Promise<RevocationOutcome> {
  try {
    return await ask({ ...revocation, token: await openRevocation(revocation), wanted });
  } catch (error) {
    if (!isVaultError(error)) throw error;
    return "not_possible";
  }
}

async function ask({ token, account, connectionId, wanted }: Asked): Promise<RevocationOutcome> {
  // While the database can't say, nothing that may be in use is revoked.
  return !wanted && (await isShared({ account, connectionId }, true)) ? "left" : revokeToken(token);
}

/** True if a revocation may end access that is in use. @param unknown the answer while the database can't say */
async function isShared({ connectionId, account }: Pick<Asked, "connectionId" | "account">, unknown: boolean): Promise<boolean> {
  return revocationEnds() === "account" && (await mayShareAccount(connectionId, account).catch(() => unknown));
}

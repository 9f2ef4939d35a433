import { REVOCATION_REASONS, type RevocationOutcome } from "#lib/connections/connection-problems";
import { noteRevocation } from "#lib/connections/connection-store";
import { mayShareAccount } from "#lib/connections/tokens/grant-store";
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
import type { ConnectionId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";
import { revocationEnds, revokeToken } from "#lib/platform/oauth";
import { type Clock, systemClock } from "#lib/time/clock";
import { isVaultError } from "#lib/vault/vault";

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

export async function revokeWaiting(clock = systemClock): Promise<number> {
  const due = await claimRevocations(AT_ONCE);
  await Promise.all(due.map((revocation) => tryRevocation(revocation, clock)));
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

import { insertGrant, isWorkspaceKnown, type UpdateOutcome, updateGrant } from "#lib/connections/tokens/grant-store";
import { extendClaim } from "#lib/connections/tokens/refresh-claim-store";
import type { Revocation, Unaskable } from "#lib/connections/tokens/revocation-store";
import { openRevocable } from "#lib/connections/tokens/token-seal";
import { listSpooled, readSpooled, removeSpooled, type Spooled, writeSpooled } from "#lib/connections/tokens/token-spool";
import { AppError } from "#lib/contracts/api/app-error";
import type { ConnectionId } from "#lib/contracts/api/ids";
import { logger } from "#lib/observability/logger";
import { type Clock, systemClock } from "#lib/time/clock";
import { retryWrite } from "./retry-write.ts";
import { revokeUnkept, tryRevocation } from "./revoke-unkept.ts";

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

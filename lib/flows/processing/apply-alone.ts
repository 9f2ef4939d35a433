import type pg from "pg";
import { boundLockWaits } from "#lib/db/locks";
import { notifySoon } from "#lib/db/notifications";
import { inSavepoint, inTransactionByKey, pool } from "#lib/db/pool";
import { firstLineOf } from "#lib/db/unavailable";
import { countWork, type WorkerCounts } from "#lib/observability/metrics";
import {
  claimOne,
  holdInInbox,
  type InboxDelivery,
  type LoneDelivery,
  lockNextAlone,
  mayWaitAlone,
  recordLoneClaim,
  removeFromInbox,
} from "#lib/processing/inbox-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { applyClaimed, chargeAttempt, handOnAnyway, LOCK_WAITS, type LockWaits, traceApplied } from "./apply-batch.ts";
import { endClaim, endRolledBackClaims, isDatabaseAway, isNoFaultOf, setLeftRangesApart } from "./batch-claims.ts";

const WORKER_ENDED = "The worker process exited while it applied this event on its own.";

let servedLast = "";

type Conditions = LockWaits & { clock: Clock };

/** Applies deliveries one by one, of failed or abandoned batches or after a failure; each is charged for its own. Returns how many. */
export async function applyAlone(limit: number, waits = LOCK_WAITS, clock = systemClock): Promise<number> {
  await setLeftRangesApart();
  if (!(await mayWaitAlone())) return 0;
  let done = 0;
  while (done < limit && (await applyNext({ ...waits, clock }))) done += 1;
  return done;
}

async function applyNext({ clock, ...waits }: Conditions): Promise<boolean> {
  await endRolledBackClaims();
  let claimId: number | null = null;
  try {
    const work = await inTransactionByKey(pool("worker"), async (client) => {
      await boundLockWaits(client, waits.aloneMs);
      const next = await lockNextAlone(client, servedLast);
      if (!next) return null;
      servedLast = next.workspaceId;
      if (next.endedItsProcess) return chargeForProcess(client, next, new Date(clock.now()));
      // Before its body is read: whatever it does to this process, it is known to have done it.
      claimId = await recordLoneClaim(next.inboxId, next.leftIn);
      return applyOne(client, next.inboxId, claimId, { ...waits, clock });
    });
    if (work) countWork(work);
    if (work && servedLast) notifySoon(pool("worker"), "applied", servedLast);
    return work !== null;
  } catch (error) {
    if (claimId !== null) await endClaim(claimId);
    throw error;
  }
}

async function applyOne(client: pg.PoolClient, inboxId: number, claimId: number, { againMs, clock }: Conditions): Promise<WorkerCounts> {
  const startMs = clock.now();
  const since = clock.elapsed();
  const claimed = await claimOne(client, inboxId);
  if (!claimed) {
    await removeFromInbox(client, [], claimId);
    return {};
  }
  const end = (transaction: pg.PoolClient) => removeFromInbox(transaction, [inboxId], claimId);
  try {
    const work = await inSavepoint(client, () => applyClaimed(client, { events: [claimed], end }, { now: new Date(startMs) }));
    traceApplied({ events: [claimed], startMs, endMs: clock.now() });
    return work;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    traceApplied({ events: [claimed], startMs, endMs: clock.now(), error: "apply_error" });
    await handOnAnyway(client, claimed, new Date(startMs));
    if (isNoFaultOf(error, clock.elapsed() - since)) return leaveForLater(client, claimed, claimId, againMs);
    return chargeAttempt(client, { claimed, code: "apply_error", text: firstLineOf(error) }, claimId, new Date(clock.now()));
  }
}

/** Postpones a delivery that met another session's lock, without charging an attempt. */
async function leaveForLater(client: pg.PoolClient, claimed: InboxDelivery, claimId: number, againMs: number): Promise<WorkerCounts> {
  await holdInInbox(client, [claimed.inboxId], againMs);
  await removeFromInbox(client, [], claimId);
  return {};
}

/** Charges a delivery that ended its process. It is not handed on before its last attempt: that would read it again. */
async function chargeForProcess(client: pg.PoolClient, { inboxId, leftIn }: LoneDelivery, now: Date): Promise<WorkerCounts> {
  const claimed = await claimOne(client, inboxId);
  if (claimed) return chargeAttempt(client, { claimed, code: "worker_ended", text: WORKER_ENDED }, leftIn ?? 0, now);
  await removeFromInbox(client, [], leftIn ?? 0);
  return {};
}

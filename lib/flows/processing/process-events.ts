import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { boundLockWaits, isLockConflict } from "#lib/db/locks";
import { notifySoon } from "#lib/db/notifications";
import { inSavepoint, inTransactionByKey, pool } from "#lib/db/pool";
import { firstLineOf } from "#lib/db/unavailable";
import { type EventLearner, learner } from "#lib/flows/event-types/learn-event-types";
import { AppliedFiling } from "#lib/flows/events/index-for-search";
import { logger } from "#lib/observability/logger";
import { countWork, type WorkerCounts } from "#lib/observability/metrics";
import {
  type Claimed,
  claimOne,
  holdInInbox,
  type InboxDelivery,
  type LoneDelivery,
  lockNextAlone,
  mayWaitAlone,
  recordLoneClaim,
  removeFromInbox,
} from "#lib/processing/inbox-store";
import { FEW, type Turn, WorkspaceTurns } from "#lib/processing/workspace-turns";
import { systemClock } from "#lib/time/clock";
import { ViewsLocked } from "#lib/views/view-store";
import {
  applyClaimed,
  chargeAttempt,
  handOnAnyway,
  LOCK_WAITS,
  type LockWaits,
  MetLocks,
  type OnParsed,
  traceApplied,
} from "./apply-batch.ts";
import {
  type BatchSource,
  endClaim,
  endRolledBackClaims,
  INBOX,
  isContentError,
  isDatabaseAway,
  isNoFaultOf,
  LOG,
  setLeftRangesApart,
} from "./batch-claims.ts";

const BATCH = 1000;
const ALONE_A_ROUND = 25;

const filing = new AppliedFiling();

/** Runs a round, in any number of processes. Logs when the database is unavailable. Returns true if more may wait. */
export const workInbox = (): Promise<boolean> => round(() => applyInTurn({ lane: "prompt", limit: BATCH, filing, lessons: learner() }));

/** Runs a round of what others must not wait for: slow workspaces, and deliveries tried alone. Returns true if more may wait. */
export const workInboxApart = (): Promise<boolean> =>
  round(async () => (await applyInTurn({ lane: "slow", limit: BATCH, filing, lessons: learner() })) + (await applyAlone(ALONE_A_ROUND)));

async function round(work: () => Promise<number>): Promise<boolean> {
  try {
    return (await work()) > 0;
  } catch (error) {
    countWork({ inbox_errors: 1 });
    logger().warn({ reason: (error as Error).message }, "can't apply deliveries; trying again");
    return false;
  }
}

/** Applies the next that waits, whatever it is, without indexing it for search. Returns how many deliveries; 0 when nothing waits. */
export const processEvents = async (batch = BATCH, waits = LOCK_WAITS): Promise<number> =>
  (await applyInTurn({ lane: "prompt", limit: batch, waits })) ||
  (await applyInTurn({ lane: "slow", limit: batch, waits })) ||
  applyAlone(batch, waits);

/** Time for which the list of waiting workspaces is valid. */
const LOOK_MS = 500;
/** A batch that failed so many times in a row, for whatever reason, is tried event by event. */
const MAX_FAILURES = 3;

type Round = {
  /** `slow`: workspaces whose batches take long. */
  lane: "prompt" | "slow";
  limit: number;
  /** Indexes first deliveries for search, once they are applied. */
  filing?: AppliedFiling | undefined;
  /** Learns their types' schemas. */
  lessons?: EventLearner | undefined;
  waits?: LockWaits;
};

/** Applies batches of one source, the workspaces in turn, each in one transaction. One that can't be written is tried event by event. */
class BatchTurns {
  private readonly source: BatchSource;
  private readonly turns = new WorkspaceTurns();
  private readonly failures = new Map<WorkspaceId, number>();
  private readonly metLocks = new MetLocks();
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(source: BatchSource) {
    this.source = source;
  }

  /** Applies one batch. Returns how many deliveries; 0 when nothing waits that other workers don't hold.
   * @param eager looks again when the last look, half a second old at most, shows nothing */
  async take({ lane, limit, ...round }: Round, eager: boolean): Promise<number> {
    if (lane === "slow" && !this.turns.hasSlow) return 0;
    await this.source.catchUp();
    let looks = 0;
    // Something was due and could not be claimed: others have it, or a transaction that is just ending hides it.
    let missed = false;
    const look = async () => {
      looks += 1;
      missed = false;
      await this.look();
    };
    if (performance.now() - this.lookedAt > LOOK_MS) await look();
    for (;;) {
      const turn = this.turns.next(lane);
      if (turn) {
        const done = await this.apply({ ...turn, limit: Math.min(limit, turn.limit) }, round);
        if (done > 0) return done;
        this.turns.skip(turn.workspaceIds);
        missed = true;
      } else {
        if (!eager || looks > (missed ? 1 : 0)) return 0;
        await look();
      }
    }
  }

  private async look(): Promise<void> {
    this.turns.update(await this.source.listDue(FEW));
    this.lookedAt = performance.now();
  }

  private async apply(turn: Turn, { filing, lessons, waits = LOCK_WAITS }: Omit<Round, "lane" | "limit">): Promise<number> {
    const { now, elapsed } = systemClock;
    const since = elapsed();
    const startMs = now();
    let claimId: number | null = null;
    let events: Claimed[] = [];
    let terms = filing?.begin();
    const taught: Claimed[] = [];
    const onParsed: OnParsed = (claimed, data, refs, reading) => {
      terms?.add(claimed, data);
      lessons?.teach(claimed, data, refs, reading);
      taught.push(claimed);
    };
    const careful = this.metLocks.amongst(turn.workspaceIds);
    try {
      const work = await inTransactionByKey(async (client) => {
        await boundLockWaits(client, careful ? waits.carefulMs : waits.batchMs);
        const batch = await this.source.claim(client, turn, (id) => {
          claimId = id;
        });
        if (!batch) return {};
        events = batch.events;
        return applyClaimed(client, batch, { now: new Date(now()), onParsed, careful, waits });
      });
      if (events.length > 0) this.succeeded(turn, elapsed() - since);
      traceApplied({ events, startMs, endMs: now() });
      countWork({ ...work, ...(events.length > 0 && { batches: 1, batch_seconds: (elapsed() - since) / 1000 }) });
    } catch (error) {
      if (claimId === null) throw error;
      lessons?.rolledBack(taught);
      await this.failed(turn, claimId, error);
      terms = undefined;
    }
    for (const workspaceId of new Set(events.map((each) => each.workspaceId))) notifySoon(pool("worker"), "applied", workspaceId);
    // Last: it waits for the batch before to be indexed, and must not delay this one's notification or measured time.
    if (terms) await filing?.file(terms);
    return events.length;
  }

  private succeeded(turn: Turn, ms: number): void {
    this.turns.took(turn, ms);
    for (const workspaceId of turn.workspaceIds) this.failures.delete(workspaceId);
  }

  /** @throws the error, when no event is the cause or the same batch is to be tried again */
  private async failed(turn: Turn, claimId: number, error: unknown): Promise<void> {
    const known = this.metLocks.amongst(turn.workspaceIds);
    if (error instanceof ViewsLocked || (isLockConflict(error) && !(known && this.failedOften(turn)))) {
      this.metLocks.note(turn.workspaceIds);
      await this.source.giveBack(claimId);
      if (!known)
        logger().warn({ reason: firstLineOf(error) }, "another database session holds a lock; events that wait for it are applied later");
      return;
    }
    if (isDatabaseAway(error) || !(isContentError(error) || isLockConflict(error) || this.failedOften(turn))) {
      await this.source.giveBack(claimId);
      throw error;
    }
    await this.source.setApart(claimId);
    this.turns.failed(turn);
    this.lookedAt = Number.NEGATIVE_INFINITY;
    countWork({ batches_failed: 1 });
    logger().warn({ reason: firstLineOf(error) }, "a batch can't be applied; trying its events one at a time");
  }

  private failedOften({ workspaceIds }: Turn): boolean {
    const counts = workspaceIds.map((workspaceId) => (this.failures.get(workspaceId) ?? 0) + 1);
    const often = counts.some((count) => count >= MAX_FAILURES);
    for (const [index, workspaceId] of workspaceIds.entries()) this.failures.set(workspaceId, often ? 0 : (counts[index] ?? 1));
    return often;
  }
}

const firstDeliveries = new BatchTurns(LOG);
const furtherDeliveries = new BatchTurns(INBOX);

/** Applies a batch of first deliveries and one of re-deliveries. Returns how many were applied, or set apart to be tried alone. */
async function applyInTurn(round: Round): Promise<number> {
  const done = await firstDeliveries.take(round, true);
  return done + (await furtherDeliveries.take({ ...round, filing: undefined }, done === 0));
}

const WORKER_ENDED = "The worker process exited while it applied this event on its own.";

let servedLast = "";

/** Applies deliveries one by one, of failed or abandoned batches or after a failure; each is charged for its own. Returns how many. */
async function applyAlone(limit: number, waits = LOCK_WAITS): Promise<number> {
  await setLeftRangesApart();
  if (!(await mayWaitAlone())) return 0;
  let done = 0;
  while (done < limit && (await applyNext(waits))) done += 1;
  return done;
}

async function applyNext({ aloneMs, againMs }: LockWaits): Promise<boolean> {
  await endRolledBackClaims();
  let claimId: number | null = null;
  try {
    const work = await inTransactionByKey(async (client) => {
      await boundLockWaits(client, aloneMs);
      const next = await lockNextAlone(client, servedLast);
      if (!next) return null;
      servedLast = next.workspaceId;
      if (next.endedItsProcess) return chargeForProcess(client, next, new Date(systemClock.now()));
      // Before its body is read: whatever it does to this process, it is known to have done it.
      claimId = await recordLoneClaim(next.inboxId, next.leftIn);
      return applyOne(client, next.inboxId, claimId, againMs);
    });
    if (work) countWork(work);
    if (work && servedLast) notifySoon(pool("worker"), "applied", servedLast);
    return work !== null;
  } catch (error) {
    if (claimId !== null) await endClaim(claimId);
    throw error;
  }
}

async function applyOne(client: pg.PoolClient, inboxId: number, claimId: number, againMs: number): Promise<WorkerCounts> {
  const { now, elapsed } = systemClock;
  const startMs = now();
  const since = elapsed();
  const claimed = await claimOne(client, inboxId);
  if (!claimed) {
    await removeFromInbox(client, [], claimId);
    return {};
  }
  const end = (transaction: pg.PoolClient) => removeFromInbox(transaction, [inboxId], claimId);
  try {
    const work = await inSavepoint(client, () => applyClaimed(client, { events: [claimed], end }, { now: new Date(startMs) }));
    traceApplied({ events: [claimed], startMs, endMs: now() });
    return work;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    traceApplied({ events: [claimed], startMs, endMs: now(), error: "apply_error" });
    await handOnAnyway(client, claimed, new Date(startMs));
    if (isNoFaultOf(error, elapsed() - since)) return leaveForLater(client, claimed, claimId, againMs);
    return chargeAttempt(client, { claimed, code: "apply_error", text: firstLineOf(error) }, claimId, new Date(now()));
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

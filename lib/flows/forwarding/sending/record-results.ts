import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { boundLockWaits, isLockBusy } from "#lib/db/locks";
import { notifySoon } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { destinationConditions, openAlerts } from "#lib/flows/alerts/conditions";
import { recordDelivered, recordUndelivered, settleDestination, type Undelivered } from "#lib/flows/issues/record-undelivered";
import { type DeliveryPlace, findPlaces } from "#lib/forwarding/delivery-store";
import { listTroubled } from "#lib/forwarding/destination-store";
import {
  type AttemptCounts,
  countAttempts,
  type DeliveryResult,
  type DestinationStanding,
  insertResults,
  listBreakers,
  listFailing,
  lockEpochs,
  postponeProbe,
  reactivateDestination,
  suspendDestination,
} from "#lib/forwarding/sender/result-store";
import { logger } from "#lib/observability/logger";
import { systemClock } from "#lib/time/clock";

/** Time that results wait for others to share a commit. */
const GATHER_MS = 5;
const MAX_RESULTS = 200;
const FEW = 10;
const RETRY_MS = 1000;
/** Wait for a lock; shorter for a destination that is known to be locked. */
const LOCK_MS = 1000;
const LOCKED_MS = 100;

type Waiting = { result: DeliveryResult; done: (change: StateChange | null) => void };

/** Records results in groups: while one is written, the next gathers. A result is kept until it is written, and nothing more is sent while
 * the database is unavailable. Destinations share a commit, but those with a locked row wait alone. */
export class ResultWriter {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  /** Destinations whose rows are locked, and when each is tried again (performance.now). */
  private readonly locked = new Map<string, number>();

  /** Resolves when the result is committed, with what it changed of its destination's state. */
  write(result: DeliveryResult): Promise<StateChange | null> {
    return new Promise((done) => {
      this.waiting.push({ result, done });
      this.writing ??= this.drain().finally(() => {
        this.writing = null;
      });
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      // Results that arrived while the group before was written have gathered already.
      if (this.waiting.length < FEW) await sleep(GATHER_MS);
      const free = this.waiting.filter(({ result }) => !this.locked.has(result.destinationId));
      if (free.length > 0) await this.record(free.slice(0, MAX_RESULTS), LOCK_MS);
      for (const [id, at] of this.locked) {
        if (at > performance.now()) continue;
        await this.record(this.waiting.filter(({ result }) => result.destinationId === id).slice(0, MAX_RESULTS), LOCKED_MS);
      }
      if (free.length === 0) await sleep(LOCKED_MS);
    }
  }

  private async record(group: Waiting[], lockMs: number): Promise<void> {
    const ids = new Set(group.map(({ result }) => result.destinationId));
    try {
      const changes = await recordResults(
        group.map(({ result }) => result),
        lockMs,
        new Date(systemClock.now()),
      );
      this.waiting = this.waiting.filter((each) => !group.includes(each));
      for (const id of ids) this.locked.delete(id);
      for (const { result, done } of group) done(changes.find(({ id }) => id === result.destinationId) ?? null);
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't record what destinations answered; trying again");
      // Which of several is locked shows when each is tried alone, at once.
      const at = ids.size > 1 ? 0 : performance.now() + RETRY_MS;
      if (isLockBusy(error)) for (const id of ids) this.locked.set(id, at);
      else await sleep(RETRY_MS);
    }
  }
}

/** Records attempts and all that follows from them in one transaction; repeated results count once.
 * Returns the destinations that were suspended, or found working again. */
async function recordResults(results: DeliveryResult[], lockMs: number, now: Date): Promise<StateChange[]> {
  const { changes, known } = await inTransaction(pool("forwarding"), async (client) => {
    await boundLockWaits(client, lockMs);
    const fresh = await insertResults(client, results);
    const charged = fresh.filter(isCharged);
    const outdated = await outdatedOf(client, charged);
    const counts = countsOf(charged, outdated);
    const standings = counts.length > 0 ? await countAttempts(client, counts) : [];
    const changed = [...(await closeBreakers(client, fresh)), ...(await openBreakers(client, failuresOf(charged, outdated), standings))];
    await recordIssues(client, fresh, changed, now);
    await alertOf(client, changed, fresh);
    return { changes: changed, known: await recordedBefore(client, results, fresh) };
  });
  for (const { id, workspaceId, to, reason } of changes) {
    logger().warn({ destination: id, reason }, to === "suspended" ? "a destination was suspended" : "a destination works again");
    notifySoon(pool("forwarding"), "destinations", workspaceId);
  }
  return [...changes, ...known];
}

/** Returns what a commit whose answer was lost may have changed. */
async function recordedBefore(client: pg.PoolClient, results: DeliveryResult[], fresh: DeliveryResult[]): Promise<StateChange[]> {
  if (fresh.length === results.length) return [];
  const breakers = await listBreakers(client, [...new Set(results.map(({ destinationId }) => destinationId))]);
  return breakers.map(({ id, workspaceId, state }) => ({ id, workspaceId, to: state, reason: null }));
}

/** Opens alerts for suspensions and exhausted deliveries in the same commit; a later round closes them. */
async function alertOf(client: pg.PoolClient, changes: StateChange[], results: DeliveryResult[]): Promise<void> {
  const suspended = changes.filter(({ to }) => to === "suspended").map(({ id }) => id);
  const exhausted = results.filter(({ next }) => next?.state === "exhausted").map(({ destinationId }) => destinationId);
  const ids = [...new Set([...suspended, ...exhausted])];
  if (ids.length > 0) await openAlerts(client, destinationConditions(await listTroubled(client, ids)), "peak");
}

/** True unless the proxy itself failed, which says nothing of the target. */
const isCharged = ({ result }: DeliveryResult) => result.outcome !== "proxy_failed";

const failuresOf = (results: DeliveryResult[], except: ReadonlySet<DeliveryResult> = new Set()) =>
  results.filter((each) => each.result.outcome !== "delivered" && !each.probe && !except.has(each));

/** Returns failures from before a person resumed the destination, or a probe got through: the breaker doesn't count them. */
async function outdatedOf(client: pg.PoolClient, results: DeliveryResult[]): Promise<Set<DeliveryResult>> {
  const failed = failuresOf(results);
  if (failed.length === 0) return new Set();
  // Those without a failure too: they are counted next, and all are locked in one order.
  const epochs = await lockEpochs(client, [...new Set(results.map(({ destinationId }) => destinationId))]);
  return new Set(failed.filter(({ destinationId, read }) => epochs.get(destinationId) !== read.epoch));
}

const NOTHING: Omit<AttemptCounts, "destinationId" | "workspaceId"> = {
  delivered: 0,
  failed: 0,
  outdated: 0,
  failedLast: 0,
  lastFailure: null,
  durationsMs: [],
};

function countsOf(results: DeliveryResult[], outdated: Set<DeliveryResult>): AttemptCounts[] {
  const counts = new Map<string, AttemptCounts>();
  for (const each of results) {
    const { destinationId, workspaceId, result } = each;
    const count = counts.get(destinationId) ?? { ...{ destinationId, workspaceId }, ...structuredClone(NOTHING) };
    counts.set(destinationId, count);
    if (outdated.has(each)) count.outdated += 1;
    else if (result.outcome === "delivered") {
      count.delivered += 1;
      count.failedLast = 0;
      count.durationsMs.push(result.totalMs);
    } else {
      count.failed += 1;
      count.failedLast += 1;
      count.lastFailure = { code: result.outcome, text: result.detail };
    }
  }
  return [...counts.values()];
}

async function openBreakers(client: pg.PoolClient, failed: DeliveryResult[], standings: DestinationStanding[]): Promise<StateChange[]> {
  const active = standings.filter(({ id, state }) => state === "active" && failed.some(({ destinationId }) => destinationId === id));
  if (active.length === 0) return [];
  const ids = active.map(({ id }) => id);
  const failing = await listFailing(client, ids);
  const changes: StateChange[] = [];
  for (const { id, overdue } of active) {
    const of = failed.filter(({ destinationId }) => destinationId === id);
    const [first] = of;
    const gone = of.some(({ result }) => result.outcome === "gone");
    const reason = gone ? "gone" : failing.includes(id) ? "failing" : overdue;
    if (first && reason !== null && (await suspendDestination(client, id, reason)))
      changes.push({ id, workspaceId: first.workspaceId, to: "suspended", reason });
  }
  return changes;
}

async function closeBreakers(client: pg.PoolClient, results: DeliveryResult[]): Promise<StateChange[]> {
  const changes: StateChange[] = [];
  for (const { destinationId: id, workspaceId, result } of results.filter(({ probe }) => probe)) {
    if (result.outcome !== "delivered") await postponeProbe(client, id, result.outcome === "gone");
    else if (await reactivateDestination(client, id)) changes.push({ id, workspaceId, to: "active", reason: null });
  }
  return changes;
}

export type StateChange = { id: string; workspaceId: WorkspaceId; to: "active" | "suspended"; reason: SuspensionReason | null };

/** @param detail what the last attempt came to */
const REASONS: Record<SuspensionReason, (detail: string) => string> = {
  failing: (detail) => `too many attempts failed. The last one: ${detail}`,
  gone: () => "it answered 410 Gone",
  no_success: (detail) => `nothing was delivered for 120 hours. The last attempt: ${detail}`,
};

async function recordIssues(client: pg.PoolClient, results: DeliveryResult[], changes: StateChange[], now: Date): Promise<void> {
  const exhausted = results.filter(({ next }) => next?.state === "exhausted");
  const suspended = changes.flatMap((change) => (change.to === "suspended" ? suspensionOf(change, results) : []));
  // One that was exhausted before was attempted before.
  const late = results.filter(({ next, number }) => next?.state === "delivered" && number > 1);
  const concerned = [...exhausted, ...suspended.map(({ result }) => result), ...late];
  if (concerned.length > 0) {
    const deliveryIds = concerned.map(({ deliveryId }) => deliveryId);
    const places = await findPlaces(client, deliveryIds);
    const undelivered = [
      ...exhausted.map((result) => undeliveredOf(result, "deliveries_exhausted", result.result.detail, places)),
      ...suspended.map(({ result, words }) => undeliveredOf(result, "destination_suspended", words, places)),
    ];
    await recordUndelivered(client, undelivered.flat(), now);
    await recordDelivered(
      client,
      late.flatMap(({ deliveryId }) => places.get(deliveryId) ?? []),
      now,
    );
  }
  for (const { id, workspaceId, to } of changes)
    if (to === "active") await settleDestination(client, { workspaceId, destinationId: id }, ["destination_suspended"], now);
}

function suspensionOf({ id, reason }: StateChange, results: DeliveryResult[]): { result: DeliveryResult; words: string }[] {
  const result = results.findLast((each) => each.destinationId === id && each.result.outcome !== "delivered");
  if (!result || reason === null) return [];
  return [{ result, words: REASONS[reason](result.result.detail) }];
}

function undeliveredOf(
  { deliveryId }: DeliveryResult,
  code: Undelivered["code"],
  words: string,
  places: Map<number, DeliveryPlace>,
): Undelivered[] {
  const place = places.get(deliveryId);
  return place ? [{ ...place, code, words }] : [];
}

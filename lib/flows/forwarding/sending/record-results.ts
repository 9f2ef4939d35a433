import type pg from "pg";
import { boundLockWaits } from "#lib/db/lock-conflict";
import { notifySoon } from "#lib/db/notify/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { destinationConditions } from "#lib/flows/alerts/conditions/destination-conditions";
import { openAlerts } from "#lib/flows/alerts/open-alerts";
import {
  type AttemptCounts,
  countAttempts,
  type DestinationStanding,
  listBreakers,
  listFailing,
  lockEpochs,
  postponeProbe,
  reactivateDestination,
  suspendDestination,
} from "#lib/forwarding/sender/breaker-store";
import { type DeliveryResult, insertResults } from "#lib/forwarding/sender/result-store";
import { listTroubled } from "#lib/forwarding/troubled-destination-store";
import { logger } from "#lib/observability/logger";
import { recordIssues, type StateChange } from "./record-issues.ts";

/** Records attempts and all that follows from them in one transaction; repeated results count once.
 * Returns the destinations that were suspended, or found working again. */
export async function recordResults(results: DeliveryResult[], lockMs: number, now: Date): Promise<StateChange[]> {
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
  const failing = await listFailing(
    client,
    active.map(({ id }) => id),
  );
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

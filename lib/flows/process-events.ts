import type pg from "pg";
import { notifySoon } from "#lib/db/notify";
import { inSavepoint, inTransaction, pool } from "#lib/db/pool";
import { insertAttempts, type TryResult } from "#lib/deliveries/attempt-store";
import { insertDeadLetters, resolveDeadLetters } from "#lib/deliveries/dead-letter-store";
import { backoffMs, MAX_ATTEMPTS } from "#lib/deliveries/failures";
import { type Claimed, claimInbox, postpone, removeFromInbox } from "#lib/deliveries/inbox-store";
import { insertRefs } from "#lib/events/ref-store";
import { logger } from "#lib/observability/logger";
import { countWork, type WorkerCounts } from "#lib/observability/worker-counters";
import { applyTouch } from "#lib/views/fold";
import type { Registers } from "#lib/views/register";
import { insertTaskMoves } from "#lib/views/task-move-store";
import { moveOf } from "#lib/views/task-moves";
import { lockViews, saveViews, type ViewKey, viewKeyText } from "#lib/views/view-store";
import { type Dead, noteFailures } from "./note-failures.ts";
import { noteIntegrationEvents } from "./note-integration-events.ts";
import { type DeliveryPlan, planDelivery } from "./plan-delivery.ts";

const BATCH = 250;

/**
 * One round of the worker, any number of which may run in any number of
 * processes. A database that is away is told in the log, and the next round
 * tries again.
 *
 * @returns whether more may wait
 */
export async function workInbox(): Promise<boolean> {
  try {
    return (await processEvents()) > 0;
  } catch (error) {
    countWork({ inbox_errors: 1 });
    logger().warn({ reason: (error as Error).message }, "can't process the inbox; trying again");
    return false;
  }
}

/**
 * Applies one batch of the inbox: claim, fold, write, remove, one transaction.
 * When the batch can't be written its events are tried one by one, so that one
 * bad event fails alone.
 *
 * @returns how many deliveries were dealt with
 */
export async function processEvents(batch = BATCH): Promise<number> {
  try {
    return await applyBatch(batch);
  } catch (error) {
    if (!isContentError(error)) throw error;
    countWork({ batches_refused: 1 });
    logger().warn({ reason: (error as Error).message }, "a batch can't be written; trying its events one by one");
    return applyOneByOne(batch);
  }
}

async function applyBatch(limit: number): Promise<number> {
  const since = performance.now();
  const { claimed, work } = await inTransaction(pool("worker"), async (client) => {
    const batch = await claimInbox(client, limit);
    return { claimed: batch, work: batch.length > 0 ? await settle(client, batch) : null };
  });
  if (work) countWork({ ...work, batches: 1, batch_seconds: (performance.now() - since) / 1000 });
  for (const workspaceId of new Set(claimed.map((each) => each.workspaceId))) notifySoon(pool("worker"), "applied", workspaceId);
  return claimed.length;
}

async function applyOneByOne(limit: number): Promise<number> {
  let done = 0;
  for (; done < limit; done += 1) {
    const work = await inTransaction(pool("worker"), async (client) => {
      const [claimed] = await claimInbox(client, 1);
      if (!claimed) return null;
      try {
        return await inSavepoint(client, () => settle(client, [claimed]));
      } catch (error) {
        return postponeOrBury(client, { claimed, code: "apply_error", text: wordsOf(error) });
      }
    });
    if (!work) break;
    countWork(work);
  }
  return done;
}

type Planned = DeliveryPlan & { claimed: Claimed };

/** Applies what can be applied and records what can't. @returns what it was, to be counted once it is committed */
async function settle(client: pg.PoolClient, batch: Claimed[]): Promise<WorkerCounts> {
  const planned = batch.map(planOf);
  const applied = planned.filter(({ plan }) => plan.outcome === "touches");
  if (applied.length > 0) await apply(client, applied);
  const dead = planned.flatMap(({ claimed, plan }): Dead[] => (plan.outcome === "cannot_apply" ? [{ claimed, ...plan }] : []));
  if (dead.length > 0) await bury(client, dead);
  // Also those that no view could take: a connection may be told of without an id.
  await noteIntegrationEvents(client, batch);
  await noteFailures(client, applied, dead);
  return { events_applied: applied.length, attempts_failed: dead.length };
}

const planOf = (claimed: Claimed): Planned => ({ claimed, ...planDelivery(claimed) });

async function apply(client: pg.PoolClient, planned: Planned[]): Promise<void> {
  const keys = new Map<string, ViewKey>();
  for (const { claimed, plan } of planned) {
    for (const { kind, id } of plan.outcome === "touches" ? plan.touches : []) {
      const key = { workspaceId: claimed.workspaceId, kind, id };
      keys.set(viewKeyText(key), key);
    }
  }
  if (keys.size > 0) await foldInto(client, planned, keys);
  await insertTaskMoves(client, planned.flatMap(movesOf));
  const claimed = planned.map((each) => each.claimed);
  await insertRefs(
    client,
    planned.map(({ claimed: { workspaceId, receivedAt, seq }, plan }) => ({
      workspaceId,
      receivedAt,
      seq,
      refs: plan.outcome === "touches" ? plan.refs : [],
    })),
  );
  await insertAttempts(
    client,
    claimed.map((each): TryResult => ({ claimed: each, outcome: "applied", failureCode: null, failureText: null })),
  );
  await resolveDeadLetters(client, claimed);
  await removeFromInbox(
    client,
    claimed.map(({ inboxId }) => inboxId),
  );
}

const movesOf = ({ claimed, plan }: Planned) =>
  plan.outcome === "touches" ? plan.touches.flatMap((touch) => moveOf(claimed.workspaceId, touch) ?? []) : [];

async function foldInto(client: pg.PoolClient, planned: Planned[], keys: Map<string, ViewKey>): Promise<void> {
  const registers: Map<string, Registers> = await lockViews(client, [...keys.values()]);
  for (const { claimed, plan } of planned) {
    for (const touch of plan.outcome === "touches" ? plan.touches : []) {
      const key = viewKeyText({ workspaceId: claimed.workspaceId, kind: touch.kind, id: touch.id });
      registers.set(key, applyTouch(registers.get(key) ?? {}, touch));
    }
  }
  await saveViews(
    client,
    [...keys].map(([text, key]) => ({ ...key, registers: registers.get(text) ?? {} })),
  );
}

/** Events that no repetition mends, or that had their last try. */
async function bury(client: pg.PoolClient, dead: Dead[]): Promise<void> {
  await insertAttempts(
    client,
    dead.map(({ claimed, code, text }) => ({ claimed, outcome: "failed", failureCode: code, failureText: text })),
  );
  await insertDeadLetters(client, dead);
  await removeFromInbox(
    client,
    dead.map(({ claimed }) => claimed.inboxId),
  );
}

/** What failed unforeseen is tried again, and dies after the last try. */
async function postponeOrBury(client: pg.PoolClient, failure: Dead): Promise<WorkerCounts> {
  const { claimed, code, text } = failure;
  const attempts = claimed.attempts + 1;
  if (attempts >= MAX_ATTEMPTS) {
    await bury(client, [failure]);
    await noteFailures(client, [], [failure]);
    return { attempts_failed: 1 };
  }
  await insertAttempts(client, [{ claimed, outcome: "retrying", failureCode: code, failureText: text }]);
  await postpone(client, claimed.inboxId, attempts, new Date(Date.now() + backoffMs(attempts, Math.random())));
  return { attempts_retried: 1 };
}

/** Errors that the events' own content may cause, as opposed to a database that is away or busy. */
function isContentError(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return /^(22|23|54)/.test(code) || error instanceof RangeError || error instanceof TypeError;
}

/** An error's first line, for people: never SQL, which pg keeps out of `message`. */
const wordsOf = (error: unknown) => (error as Error).message.split("\n")[0]?.slice(0, 300) ?? "unknown";

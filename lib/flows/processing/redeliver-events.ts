import type { Context } from "#lib/auth/audit/audit";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { MAX_REDELIVERED } from "#lib/contracts/list-filters";
import type { DryRunOutcome, DryRunSample, RedeliveryProgress } from "#lib/contracts/redeliveries";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import type { LoggedEvent } from "#lib/db/sql";
import { findEvent } from "#lib/events/event-store";
import { findPositions, listPositions } from "#lib/events/log/event-body-store";
import { withWholeReach } from "#lib/events/search/coverage-store";
import { inTurn } from "#lib/flows/views/read-as-of";
import {
  abortRedelivery,
  findRedelivery,
  insertRedelivery,
  listRedeliveryItems,
  type RedeliveryChoice,
  startRedelivery,
} from "#lib/processing/redelivery-store";
import { findReadings } from "#lib/sources/reading-store";
import type { Touch } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { dryRun } from "#lib/views/record-differences";
import { findRegisters, viewKeyText } from "#lib/views/view-store";
import { planDelivery } from "./plan-delivery.ts";

/** Delivers one event again; harmless if it was applied, as the fold is idempotent. Returns the delivery's ID; null without the event. */
export async function redeliverEvent(
  workspaceId: WorkspaceId,
  eventId: string,
  requestedBy: string,
  toDestinations = false,
): Promise<string | null> {
  const event = await findEvent(workspaceId, eventId);
  if (!event) return null;
  const id = await insertRedelivery(workspaceId, [event], { name: null, filter: null, requestedBy, toDestinations });
  await startHeld(workspaceId, id);
  return id;
}

type RedeliverySet = { filter: EventFilter } | { eventIds: string[] };

type Request = { now: Date; name: string | null; requestedBy: string; toDestinations?: boolean; dryRun?: boolean; hold?: boolean };

/** Freezes a set and starts it, unless held or tried dry. `id` is null when nothing matches.
 * @throws AppError `invalid_request` for more than 10,000 events, `search_incomplete` */
export async function redeliverSet(
  workspaceId: WorkspaceId,
  set: RedeliverySet,
  { dryRun = false, hold = false, now, ...request }: Request,
): Promise<{ id: string | null; total: number; outcome?: DryRunOutcome }> {
  const positions = await positionsOf(workspaceId, set, now);
  if (positions.length > MAX_REDELIVERED) {
    throw new AppError(
      "invalid_request",
      "More than 10,000 events match. Choose a shorter period or another filter, and re-deliver in parts.",
    );
  }
  if (positions.length === 0) return { id: null, total: 0 };
  const id = await insertRedelivery(workspaceId, positions, { ...request, filter: "filter" in set ? set.filter : null });
  const outcome = dryRun ? await dryRunRedelivery(workspaceId, id) : null;
  if (!dryRun && !hold) await startHeld(workspaceId, id);
  return { id, total: positions.length, ...(outcome && { outcome }) };
}

async function positionsOf(workspaceId: WorkspaceId, set: RedeliverySet, now: Date) {
  if ("eventIds" in set) return findPositions(workspaceId, set.eventIds);
  return withWholeReach(workspaceId, set.filter, now, () => listPositions(workspaceId, set.filter, MAX_REDELIVERED + 1, now));
}

export async function startHeld(workspaceId: WorkspaceId, id: string): Promise<RedeliveryProgress | null> {
  await begin(workspaceId, id, {});
  return findRedelivery(workspaceId, id);
}

/** Starts a held re-delivery, or resumes an aborted one where it stopped. @param choice replaces what was chosen before */
export async function startOrResume(
  { workspaceId, audit }: Context,
  id: string,
  choice: RedeliveryChoice,
): Promise<RedeliveryProgress | null> {
  const before = await begin(workspaceId, id, choice);
  const progress = await findRedelivery(workspaceId, id);
  if (before === null || before === "queued" || !progress) {
    audit.unchanged();
    return progress;
  }
  const action = before === "held" ? "redelivery.started" : "redelivery.resumed";
  const target = { kind: "redelivery", id, name: progress.name };
  const after = { state: progress.state, events: progress.left, filter: progress.filter, destinations: progress.destinations };
  await audit.record({ action, target, before: { state: before }, after });
  return progress;
}

async function begin(workspaceId: WorkspaceId, id: string, choice: RedeliveryChoice) {
  const before = await startRedelivery(workspaceId, id, choice);
  if (before !== null) notifySoon(pool(), "appended", workspaceId);
  return before;
}

/** Stops what still waits of a re-delivery; what was applied stays. @throws AppError `not_found` */
export async function stopRedelivery({ workspaceId, audit }: Context, id: string): Promise<void> {
  const stop = await expectFound(abortRedelivery(workspaceId, id), "re-delivery with that ID");
  if (!stop.changed) return audit.unchanged();
  const progress = await findRedelivery(workspaceId, id);
  const target = { kind: "redelivery", id, name: progress?.name ?? null };
  const after = { state: "aborted", left: progress?.left };
  await audit.record({ action: "redelivery.stopped", target, before: { state: stop.before }, after });
}

const SLICE = { limit: 500, bytes: 4 * 1_048_576 };
/** Bytes of events after which a dry run ends. */
const MAX_BYTES = 64 * 1_048_576;
const SAMPLES_OF_EACH = 3;

type Records = Map<string, Registers>;

/** Tries a frozen re-delivery on the present views with the worker's plan and fold, and writes nothing. @throws AppError `unavailable` */
export async function dryRunRedelivery(workspaceId: WorkspaceId, id: string): Promise<DryRunOutcome | null> {
  const redelivery = await findRedelivery(workspaceId, id);
  return redelivery && inTurn(() => tryAll(workspaceId, id, redelivery.total - redelivery.expired));
}

async function tryAll(workspaceId: WorkspaceId, id: string, total: number): Promise<DryRunOutcome> {
  const records: Records = new Map();
  const outcome: DryRunOutcome = {
    total: 0,
    wouldChange: 0,
    appliedAlready: 0,
    stale: 0,
    noView: 0,
    stillFails: 0,
    untried: 0,
    samples: [],
  };
  let bytes = 0;
  for (let after: LoggedEvent | null = null; bytes < MAX_BYTES; ) {
    const items: LoggedEvent[] = await listRedeliveryItems(workspaceId, id, after, SLICE);
    after = items.at(-1) ?? null;
    if (after === null) return outcome;
    for (const sample of await trySlice(workspaceId, items, records)) add(outcome, sample);
    bytes += items.reduce((sum, { body }) => sum + body.length, 0);
  }
  const untried = Math.max(0, total - outcome.total);
  return { ...outcome, untried, total: outcome.total + untried };
}

async function trySlice(workspaceId: WorkspaceId, items: LoggedEvent[], records: Records): Promise<DryRunSample[]> {
  const readings = await findReadings(pool(), [...new Set(items.map(({ sourceId }) => sourceId))]);
  const planned = items.map((item) => ({ item, plan: planDelivery(item, readings).plan }));
  const keyOf = ({ kind, id }: Touch) => viewKeyText({ workspaceId, kind, id });
  const touched = planned.flatMap(({ plan }) => (plan.outcome === "touches" ? plan.touches : []));
  const unread = new Map(touched.filter((touch) => !records.has(keyOf(touch))).map((touch) => [keyOf(touch), touch]));
  const found = await findRegisters([...unread.values()].map(({ kind, id }) => ({ workspaceId, kind, id })));
  for (const [key, registers] of found) records.set(key, registers);
  return planned.map(({ item: { eventId, type }, plan }): DryRunSample => {
    if (plan.outcome !== "touches") return { eventId, type, outcome: "still_fails", reason: plan.text, changes: [] };
    const registersOf = (touch: Touch) => records.get(keyOf(touch)) ?? {};
    const result = dryRun(eventId, plan.touches, registersOf, (touch, registers) => records.set(keyOf(touch), registers));
    return { eventId, type, reason: null, ...result };
  });
}

const COUNTERS = {
  would_change: "wouldChange",
  applied_already: "appliedAlready",
  stale: "stale",
  no_view: "noView",
  still_fails: "stillFails",
} as const;

function add(outcome: DryRunOutcome, sample: DryRunSample): void {
  outcome.total += 1;
  outcome[COUNTERS[sample.outcome]] += 1;
  if (outcome[COUNTERS[sample.outcome]] <= SAMPLES_OF_EACH) outcome.samples.push(sample);
}

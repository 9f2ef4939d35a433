import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import type { DryRunOutcome, RedeliveryProgress } from "#lib/contracts/redeliveries";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import { findPositions, listPositions } from "#lib/events/log/event-body-store";
import { withWholeReach } from "#lib/events/search/coverage-store";
import {
  abortRedelivery,
  findRedelivery,
  insertRedelivery,
  type RedeliveryChoice,
  startRedelivery,
} from "#lib/processing/redelivery-store";
import { dryRunRedelivery } from "./dry-run-redelivery.ts";

const MAX_EVENTS = 10_000;

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
  if (positions.length > MAX_EVENTS) {
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
  return withWholeReach(workspaceId, set.filter, now, () => listPositions(workspaceId, set.filter, MAX_EVENTS + 1, now));
}

export async function startHeld(workspaceId: WorkspaceId, id: string): Promise<RedeliveryProgress | null> {
  await begin(workspaceId, id, {});
  return findRedelivery(workspaceId, id);
}

/** Starts a held re-delivery, or resumes an aborted one where it stopped. @param choice replaces what was chosen before */
export async function startOrResume(
  workspaceId: WorkspaceId,
  id: string,
  choice: RedeliveryChoice,
  audit: Audit,
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
export async function stopRedelivery(workspaceId: WorkspaceId, id: string, audit: Audit): Promise<void> {
  const stop = await abortRedelivery(workspaceId, id);
  if (stop === null) throw new AppError("not_found", "There is no re-delivery with that ID.");
  if (!stop.changed) return audit.unchanged();
  const progress = await findRedelivery(workspaceId, id);
  const target = { kind: "redelivery", id, name: progress?.name ?? null };
  await audit.record({
    action: "redelivery.stopped",
    target,
    before: { state: stop.before },
    after: { state: "aborted", left: progress?.left },
  });
}

import { AppError } from "#lib/contracts/app-error";
import type { EventFilter } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { DryRunOutcome, RedeliveryProgress } from "#lib/contracts/redeliveries";
import { notifySoon } from "#lib/db/notify";
import { pool } from "#lib/db/pool";
import { findRedelivery, insertRedelivery, startRedelivery } from "#lib/deliveries/redelivery-store";
import { findPositions, listPositions } from "#lib/events/event-position-store";
import { findEvent } from "#lib/events/event-store";
import { dryRunRedelivery } from "./dry-run-redelivery.ts";

/** One request re-delivers at most this many. */
const MAX_EVENTS = 10_000;

/**
 * Delivers one event again, from its raw bytes, with today's logic. Harmless
 * for an event that was applied: the fold is idempotent.
 *
 * @returns the delivery's id; null when the workspace has no such event
 */
export async function redeliverEvent(workspaceId: WorkspaceId, eventId: string, requestedBy: string): Promise<string | null> {
  const event = await findEvent(workspaceId, eventId);
  if (!event) return null;
  const id = await insertRedelivery(workspaceId, [event], { name: null, filter: null, requestedBy });
  await startHeld(workspaceId, id);
  return id;
}

/** Which events: what matches a filter now, or these. */
export type RedeliverySet = { filter: EventFilter } | { eventIds: string[] };

type Request = { name: string | null; requestedBy: string; dryRun?: boolean; hold?: boolean };

/**
 * Freezes a set and, unless it is to be held or tried dry first, delivers it again in the background.
 *
 * @returns `id` null when nothing matches; `outcome` after a dry run
 * @throws AppError `invalid_request` for more than 10,000 events
 */
export async function redeliverSet(
  workspaceId: WorkspaceId,
  set: RedeliverySet,
  { dryRun = false, hold = false, ...request }: Request,
): Promise<{ id: string | null; total: number; outcome?: DryRunOutcome }> {
  const positions =
    "filter" in set ? await listPositions(workspaceId, set.filter, MAX_EVENTS + 1) : await findPositions(workspaceId, set.eventIds);
  if (positions.length > MAX_EVENTS) {
    throw new AppError("invalid_request", "More than 10,000 events match. Take a shorter period or another filter, and do it in parts.");
  }
  if (positions.length === 0) return { id: null, total: 0 };
  const id = await insertRedelivery(workspaceId, positions, { ...request, filter: "filter" in set ? set.filter : null });
  const outcome = dryRun ? await dryRunRedelivery(workspaceId, id) : null;
  if (!dryRun && !hold) await startHeld(workspaceId, id);
  return { id, total: positions.length, ...(outcome && { outcome }) };
}

/**
 * Begins a held re-delivery, or goes on with an aborted one where it stopped.
 *
 * @returns its progress; null when the workspace has no such redelivery
 */
export async function startHeld(workspaceId: WorkspaceId, id: string, name: string | null = null): Promise<RedeliveryProgress | null> {
  if (!(await startRedelivery(workspaceId, id, name))) return null;
  notifySoon(pool(), "appended", workspaceId);
  return findRedelivery(workspaceId, id);
}

import { AppError } from "#lib/contracts/app-error";
import type { EventFilter } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { notifySoon } from "#lib/db/notify";
import { pool } from "#lib/db/pool";
import { insertRedelivery } from "#lib/deliveries/redelivery-store";
import { listPositions } from "#lib/events/event-position-store";
import { findEvent } from "#lib/events/event-store";

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
  notifySoon(pool(), "appended", workspaceId);
  return id;
}

/**
 * Delivers all events again that match a filter now; the set is frozen here.
 *
 * @param dryRun only counts
 */
export async function redeliverMatching(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  request: { name: string | null; dryRun: boolean; requestedBy: string },
): Promise<{ id: string | null; total: number }> {
  const positions = await listPositions(workspaceId, filter, MAX_EVENTS + 1);
  if (positions.length > MAX_EVENTS) throw new AppError("invalid_request", `More than ${MAX_EVENTS} events match. Narrow the filter.`);
  if (request.dryRun || positions.length === 0) return { id: null, total: positions.length };
  const id = await insertRedelivery(workspaceId, positions, { ...request, filter });
  notifySoon(pool(), "appended", workspaceId);
  return { id, total: positions.length };
}

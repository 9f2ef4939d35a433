import { AppError } from "#lib/contracts/app-error";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewDetail, ViewKind, ViewRecord } from "#lib/contracts/views";
import { listResourceEvents, type ResourceEvent } from "#lib/events/event-store";
import { listForgotten } from "#lib/events/retention-store";
import { readEnvelope } from "#lib/platform/envelope";
import { applyTouch, recordOf } from "#lib/views/fold";
import { planEvent } from "#lib/views/plan";
import type { Registers } from "#lib/views/register";
import { listViews } from "#lib/views/view-list-store";
import { findView } from "#lib/views/view-store";

const EVENTS_SHOWN = 100;
const EVENTS_FOLDED = 5000;
const CHILDREN_SHOWN = 100;
const CHILD_KIND: Partial<Record<ViewKind, ViewKind>> = { pipeline: "task", automation: "run" };

/**
 * One view with the events that made it.
 *
 * @param asOf ISO 8601: the view as the events created up to then make it; null for now
 * @returns null when the log speaks of none (or of none by then)
 */
export async function readView(workspaceId: WorkspaceId, kind: ViewKind, id: string, asOf: string | null): Promise<ViewDetail | null> {
  const until = asOf === null ? null : Math.floor(Date.parse(asOf) / 1000);
  if (until !== null && Number.isNaN(until))
    throw new AppError("invalid_request", "asOf: send a moment in ISO 8601, for example 2026-01-31T12:00:00Z.");
  const events = await listResourceEvents(workspaceId, kind, id, until === null ? EVENTS_SHOWN : EVENTS_FOLDED);
  const heard = until === null ? events : events.filter(({ created }) => created <= until);
  const record = until === null ? await findView(workspaceId, kind, id) : foldOf(kind, id, heard);
  if (!record) return null;
  const childKind = until === null ? CHILD_KIND[kind] : undefined;
  const children = childKind ? (await listViews(workspaceId, childKind, { parent: id, limit: CHILDREN_SHOWN })).data : [];
  const forgotten = await listForgotten(workspaceId, settersBeyond(record, events));
  return { ...record, events: heard.slice(0, EVENTS_SHOWN).map(({ summary }) => summary), children, forgotten, asOf };
}

/** The events that set a field and are not among those at hand: they may have left the log. */
function settersBeyond({ fields }: ViewRecord, events: ResourceEvent[]): string[] {
  const atHand = new Set(events.map(({ eventId }) => eventId));
  return [...new Set(Object.values(fields).map(({ eventId }) => eventId))].filter((id) => !atHand.has(id));
}

/** The view that these events alone make; null when they touch none. */
function foldOf(kind: ViewKind, id: string, events: ResourceEvent[]): ViewRecord | null {
  let registers: Registers | null = null;
  for (const { eventId, type, created, body } of events) {
    const reading = readEnvelope(body);
    if (reading.outcome !== "envelope") continue;
    const plan = planEvent({ eventId, type, created, data: reading.envelope.data });
    if (plan.outcome !== "touches") continue;
    for (const touch of plan.touches) if (touch.kind === kind && touch.id === id) registers = applyTouch(registers ?? {}, touch);
  }
  return registers && recordOf(kind, id, registers);
}

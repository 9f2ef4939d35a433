import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventSummary, ResourceRef } from "#lib/contracts/events/events";
import type { TimelineChange, TimelineEntry, ViewKind, ViewRecord, ViewTimeline } from "#lib/contracts/views";
import { listResourceEvents } from "#lib/events/event-store";
import { baseAsOf, touchesOfBase } from "#lib/views/base";
import { findBase } from "#lib/views/base-store";
import { applyTouch, recordOf } from "#lib/views/fold/fold";
import { isoOf, type Touch } from "#lib/views/fold/plan";
import { compareOrder, type Registers } from "#lib/views/fold/register";
import { momentOf, visitHistory } from "./read-as-of.ts";
import { nameEvents, nameReferences } from "./read-views.ts";

/** Events of each record: the Events page lists all. */
const EVENTS_SHOWN = 100;
const TASKS_SHOWN = 5;
/** Events of each record that are folded. A longer history is shown without the values before its first part. */
const BOUNDS = { events: 300, bytes: 2 * 1_048_576 };

type Part = { record: ViewRecord | null; entries: TimelineEntry[]; partial: boolean; knownFrom: number | null };

/** Returns what each event changed in a record, newest first by the platform's time; a document's with the events of its tasks.
 * @param asOf ISO 8601; null for now @throws AppError `unavailable` when too many histories are being read */
export async function readTimeline(
  workspaceId: WorkspaceId,
  kind: ViewKind,
  id: string,
  asOf: string | null,
): Promise<ViewTimeline | null> {
  const until = asOf === null ? null : momentOf(asOf);
  const own = await partOf(workspaceId, { kind, id }, until);
  if (own.entries.length === 0 && own.knownFrom === null) return null;
  const parts = [own];
  if (kind === "document") for (const task of tasksOf(own.entries)) parts.push(await partOf(workspaceId, task, until));
  const entries = newestFirst(joined(parts));
  const unnamed = entries.map(({ event }) => event);
  const events = await nameEvents(workspaceId, unnamed);
  const data = entries.map((entry, index) => named({ ...entry, event: events[index] ?? entry.event }));
  const records = parts.slice(1).flatMap(({ record }) => record ?? []);
  const tasks = await nameReferences(workspaceId, records);
  return {
    data,
    tasks,
    partial: parts.some(({ partial, knownFrom }) => partial || knownFrom !== null),
    knownFrom: own.knownFrom === null ? null : isoOf(own.knownFrom),
  };
}

async function partOf(workspaceId: WorkspaceId, { kind, id }: { kind: ViewKind; id: string }, until: number | null): Promise<Part> {
  const touches: Touch[] = [];
  const log = { kind, refs: [id], until: until ?? Number.MAX_SAFE_INTEGER };
  const [events, coverage] = await Promise.all([
    listResourceEvents(workspaceId, kind, id, EVENTS_SHOWN, until),
    visitHistory(workspaceId, log, BOUNDS, (touch) => {
      if (touch.kind === kind && touch.id === id) touches.push(touch);
    }),
  ]);
  // Last: events move from the log into it.
  const base = await findBase(workspaceId, kind, id);
  const then = base && baseAsOf(base, until ?? Number.MAX_SAFE_INTEGER);
  if (then?.registers) touches.push(...touchesOfBase({ kind, id }, then.registers));
  const { registers, changes } = changesOf(touches);
  return {
    record: touches.length === 0 ? null : recordOf(kind, id, registers),
    entries: events.map((event) => ({ event, record: { kind, id }, changes: changes.get(event.id) ?? [] })),
    partial: coverage !== null || events.length === EVENTS_SHOWN,
    knownFrom: base && then?.registers ? base.knownFrom : null,
  };
}

/** Folds in the writers' order, and keeps what each event made different. */
function changesOf(touches: Touch[]): { registers: Registers; changes: Map<string, TimelineChange[]> } {
  const changes = new Map<string, TimelineChange[]>();
  let registers: Registers = {};
  for (const touch of touches.filter(({ writes }) => writes.length > 0).sort(byWriter)) {
    const next = applyTouch(registers, touch);
    const eventId = touch.writes[0]?.register.id ?? "";
    changes.set(eventId, [...(changes.get(eventId) ?? []), ...differing(registers, next)]);
    registers = next;
  }
  return { registers, changes };
}

const byWriter = (a: Touch, b: Touch) => {
  const [first, second] = [a.writes[0]?.register, b.writes[0]?.register];
  return first && second ? compareOrder(first, second) : 0;
};

function differing(before: Registers, after: Registers): TimelineChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const change = { field, before: before[field]?.v ?? null, after: after[field]?.v ?? null };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

function tasksOf(entries: TimelineEntry[]): { kind: "task"; id: string }[] {
  const ids = new Set(entries.flatMap(({ event }) => event.resources.filter(isTask).map(({ id }) => id)));
  return [...ids].slice(0, TASKS_SHOWN).map((id) => ({ kind: "task", id }));
}

const isTask = ({ kind }: ResourceRef) => kind === "task";

/** Lists each event once, under the first record in which it changed something. */
function joined(parts: Part[]): TimelineEntry[] {
  const entries = new Map<string, TimelineEntry>();
  for (const entry of parts.flatMap((part) => part.entries)) {
    const key = `${entry.event.source} ${entry.event.id}`;
    const known = entries.get(key);
    if (!known || known.changes.length === 0) entries.set(key, entry);
  }
  return [...entries.values()];
}

const newestFirst = (entries: TimelineEntry[]) => entries.sort((a, b) => newer(a.event, b.event));
const newer = (a: EventSummary, b: EventSummary) => b.created.localeCompare(a.created) || b.receivedAt.localeCompare(a.receivedAt);

function named(entry: TimelineEntry): TimelineEntry {
  const { kind, id } = entry.record;
  return { ...entry, record: entry.event.resources.find((resource) => resource.kind === kind && resource.id === id) ?? entry.record };
}

import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { EventSummary } from "#lib/contracts/events/events";
import type { ViewDetail, ViewKind, ViewQuery, ViewRecord, ViewSearch, ViewSearchResult } from "#lib/contracts/views";
import { listResourceEvents } from "#lib/events/event-store";
import { listForgotten } from "#lib/events/retention-store";
import { findConnectionOf } from "#lib/flows/connections/connections";
import { recordOf } from "#lib/views/fold/fold";
import { countByParent, findContaining, findResembling, listViews } from "#lib/views/view-list-store";
import { findView } from "#lib/views/view-store";
import { nameEvents, nameReferences } from "./name-records.ts";
import { foldAsOf, momentOf, pastMarks } from "./read-as-of.ts";

const EVENTS_SHOWN = 100;
const CHILDREN_SHOWN = 100;
const CHILD_KIND: Partial<Record<ViewKind, ViewKind>> = { pipeline: "task", automation: "run" };

/** Returns null when no event names the record (or none by then). @param asOf ISO 8601; null for now */
export async function readView(workspaceId: WorkspaceId, kind: ViewKind, id: string, asOf: string | null): Promise<ViewDetail | null> {
  const until = asOf === null ? null : momentOf(asOf);
  const { record, ...read } = until === null ? await latest(workspaceId, kind, id) : await past(workspaceId, kind, id, until);
  if (!record) return null;
  const events = await listResourceEvents(workspaceId, kind, id, EVENTS_SHOWN, until);
  const childKind = until === null ? CHILD_KIND[kind] : undefined;
  const children = childKind ? (await listViews(workspaceId, childKind, { parent: id, limit: CHILDREN_SHOWN })).data : [];
  const forgotten = await listForgotten(workspaceId, settersBeyond(record, events));
  const connection = kind === "integration" && until === null ? await findConnectionOf(workspaceId, record) : null;
  const [named] = await nameReferences(workspaceId, [record]);
  return {
    ...(named ?? record),
    events: await nameEvents(workspaceId, events),
    children,
    connection,
    forgotten,
    asOf,
    ...pastMarks(read),
  };
}

const latest = async (workspaceId: WorkspaceId, kind: ViewKind, id: string) => ({
  record: await findView(workspaceId, kind, id),
  coverage: null,
  knownFrom: null,
});

async function past(workspaceId: WorkspaceId, kind: ViewKind, id: string, until: number) {
  const { find, coverage, knownFrom } = await foldAsOf(workspaceId, kind, [id], until);
  const registers = find(kind, id);
  return { record: registers ? recordOf(kind, id, registers) : null, coverage, knownFrom };
}

/** Lists the events that set a field and are not at hand: they may have left the log. */
function settersBeyond({ fields }: ViewRecord, events: EventSummary[]): string[] {
  const atHand = new Set(events.map((event) => event.id));
  return [...new Set(Object.values(fields).map(({ eventId }) => eventId))].filter((id) => !atHand.has(id));
}

const COUNTED: Partial<Record<ViewKind, ViewKind>> = { pipeline: "task", automation: "run" };

export async function listViewPage(workspaceId: WorkspaceId, kind: ViewKind, query: ViewQuery): Promise<Page<ViewRecord>> {
  const found = await listViews(workspaceId, kind, query);
  const page = { ...found, data: await nameReferences(workspaceId, found.data) };
  const childKind = COUNTED[kind];
  if (!childKind) return page;
  const counts = await countByParent(
    workspaceId,
    childKind,
    page.data.map(({ id }) => id),
  );
  return { ...page, data: page.data.map((record) => ({ ...record, childStates: counts.get(record.id) ?? {} })) };
}

const MAX_FOUND = 12;

/** Finds records by name or ID, the best match first. Without an exact match: those that differ by one slip a word. */
export async function searchViews(workspaceId: WorkspaceId, q: string): Promise<ViewSearch> {
  const containing = await findContaining(workspaceId, q);
  if (containing === null) return { data: [], approximate: false, complete: false };
  if (containing.length > 0) return { data: bestFirst(containing, q), approximate: false, complete: true };
  const resembling = await findResembling(workspaceId, q);
  return { data: bestFirst(resembling ?? [], q), approximate: (resembling ?? []).length > 0, complete: resembling !== null };
}

function bestFirst(records: ViewRecord[], q: string): ViewSearchResult[] {
  const typed = q.trim().toLowerCase();
  const score = ({ id, label }: ViewRecord) => {
    const names = [label.toLowerCase(), id.toLowerCase()];
    if (names.includes(typed)) return 0;
    return names.some((name) => name.startsWith(typed)) ? 1 : 2;
  };
  return records
    .sort((a, b) => score(a) - score(b) || Date.parse(b.lastEventAt) - Date.parse(a.lastEventAt))
    .slice(0, MAX_FOUND)
    .map(({ kind, id, label, state, failed, lastEventAt }) => ({ kind, id, label, state, failed, lastEventAt }));
}

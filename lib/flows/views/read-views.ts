import { listLinkCandidates } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import type { EventFilter, EventPage, EventSummary, NamedResource, ResourceRef } from "#lib/contracts/events/events";
import { idText } from "#lib/contracts/exact-numbers";
import { EVERY_SOURCE, type ViewFilter } from "#lib/contracts/list-filters";
import type { MissingEventFilter } from "#lib/contracts/missing-event-filters";
import type { MissingEvent, MissingEventResource } from "#lib/contracts/missing-events";
import type { ViewDetail, ViewKind, ViewQuery, ViewRecord, ViewSearch, ViewSearchResult } from "#lib/contracts/views";
import { type EventPageOf, listEvents, listResourceEvents } from "#lib/events/event-store";
import { listForgotten } from "#lib/events/retention-store";
import { countSearchedInPart, withReach } from "#lib/events/search/coverage-store";
import { findConnectionOf } from "#lib/flows/connections/connections";
import { withPayloadTexts } from "#lib/flows/events/payload-texts";
import { findUnknown } from "#lib/flows/events/unknown-in-filter";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { findSource, listSourceNames } from "#lib/sources/source-store";
import { recordOf } from "#lib/views/fold/fold";
import {
  countByParent,
  countViews,
  findContaining,
  findNames,
  findResembling,
  listViews,
  nameKey,
  PLATFORM_SOURCE,
} from "#lib/views/view-list-store";
import { findView } from "#lib/views/view-store";
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
  const found = await listViews(workspaceId, kind, await bySource(workspaceId, kind, query));
  const page = { ...found, data: await nameReferences(workspaceId, found.data) };
  const childKind = COUNTED[kind];
  if (!childKind) return page;
  const ids = page.data.map(({ id }) => id);
  const counts = await countByParent(workspaceId, childKind, ids);
  return { ...page, data: page.data.map((record) => ({ ...record, childStates: counts.get(record.id) ?? {} })) };
}

export const countViewsOf = async (workspaceId: WorkspaceId, kind: ViewKind, filter: ViewFilter): Promise<number> =>
  countViews(workspaceId, kind, await bySource(workspaceId, kind, filter));

/** Documents are the platform's, unless a source is named. The platform's sources make one set of records: each names all of them. */
async function bySource<F extends ViewFilter>(workspaceId: WorkspaceId, kind: ViewKind, filter: F): Promise<F> {
  const { source } = filter;
  if (source === EVERY_SOURCE || (source === undefined && kind !== "document")) return filter;
  if (source === undefined) return { ...filter, source: PLATFORM_SOURCE };
  const isPlatform = kind !== "record" && (await findSource(workspaceId, { name: source }))?.records === "platform";
  return isPlatform ? { ...filter, source: PLATFORM_SOURCE } : filter;
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

/** Fields by which a record refers to another, with that one's kind. */
const REFERENCES: Partial<Record<string, [field: string, kind: string][]>> = {
  task: [
    ["pipelineId", "pipeline"],
    ["documentId", "document"],
  ],
  run: [["automationId", "automation"]],
};

/** Lists events with names, looked up once for the page. A search says what it could not look into, and what no event has. */
export async function listNamedEvents(workspaceId: WorkspaceId, filter: EventFilter, pageOf: EventPageOf): Promise<EventPage> {
  const [{ found, searchedBackTo }, searchedInPart] = await Promise.all([
    withReach(workspaceId, filter, pageOf.now, () => listEvents(workspaceId, filter, pageOf)),
    countSearchedInPart(workspaceId, filter, pageOf.now),
  ]);
  const isWhole = searchedBackTo === undefined;
  const [data, unknown] = await Promise.all([
    nameEvents(workspaceId, found.data),
    pageOf.cursor === undefined ? findUnknown(workspaceId, filter, { searched: isWhole && found.data.length === 0, now: pageOf.now }) : [],
  ]);
  return {
    ...found,
    data,
    ...(searchedInPart && { searchedInPart }),
    ...(searchedBackTo && { searchedBackTo }),
    ...(unknown.length > 0 && { unknown }),
  };
}

export async function listNamedMissingEvents(
  workspaceId: WorkspaceId,
  filter: MissingEventFilter,
  pageOf: Paging,
): Promise<Page<MissingEvent>> {
  const page = await listMissingEvents(workspaceId, filter, pageOf);
  const resources = page.data.map(({ resource }) => resource);
  const has = (kind: MissingEventResource["kind"]) => resources.some((resource) => resource.kind === kind);
  const [names, sources, connections] = await Promise.all([
    findNames(workspaceId, resources),
    has("source") ? listSourceNames(workspaceId) : [],
    has("connection") ? listLinkCandidates(workspaceId) : [],
  ]);
  for (const [id, name] of sources) names.set(nameKey({ kind: "source", id }), name);
  for (const { id, name } of connections) names.set(nameKey({ kind: "connection", id }), name);
  const data = page.data.map((each) => ({ ...each, resource: withName(each.resource, names) }));
  return { ...page, data };
}

/** Adds the names of records, and what payloads tell: the failure that an event reports, and what it is about. */
export async function nameEvents<E extends EventSummary>(workspaceId: WorkspaceId, events: E[]): Promise<E[]> {
  const refs = events.flatMap(({ resources }) => resources);
  const [names, told] = await Promise.all([findNames(workspaceId, refs), withPayloadTexts(workspaceId, events)]);
  if (names.size === 0) return told;
  return told.map((event) => ({ ...event, resources: event.resources.map((ref) => withName(ref, names)) }));
}

export async function nameReferences<R extends ViewRecord>(workspaceId: WorkspaceId, records: R[]): Promise<R[]> {
  const names = await findNames(workspaceId, records.flatMap(referencesOf));
  if (names.size === 0) return records;
  return records.map((record) => {
    const own = referencesOf(record).flatMap((ref) => {
      const name = names.get(nameKey(ref));
      return name === undefined ? [] : [[nameKey(ref), name] as const];
    });
    return own.length === 0 ? record : { ...record, names: Object.fromEntries(own) };
  });
}

const withName = <R extends ResourceRef>(ref: R, names: Map<string, string>): R & Pick<NamedResource, "name"> => {
  const name = names.get(nameKey(ref));
  return name === undefined ? ref : { ...ref, name };
};

const referencesOf = ({ kind, fields }: ViewRecord): ResourceRef[] =>
  (REFERENCES[kind] ?? []).flatMap(([field, of]) => {
    const id = idText(fields[field]?.value);
    return id === undefined ? [] : [{ kind: of, id }];
  });

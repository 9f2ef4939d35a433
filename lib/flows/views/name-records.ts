import { listLinkCandidates } from "#lib/connections/platform-notice-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { EventFilter, EventPage, EventSummary, NamedResource, ResourceRef } from "#lib/contracts/events/events";
import { idText } from "#lib/contracts/exact-numbers";
import type { MissingEventFilter } from "#lib/contracts/missing-event-filters";
import type { MissingEvent, MissingEventResource } from "#lib/contracts/missing-events";
import type { ViewRecord } from "#lib/contracts/views";
import { type EventPageOf, listEvents } from "#lib/events/event-store";
import { countSearchedInPart, withReach } from "#lib/events/search/coverage-store";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { listSources } from "#lib/sources/source-store";
import { findNames, nameKey } from "#lib/views/view-list-store";

type PageOf = { limit: number; cursor?: string | undefined };

/** Fields by which a record refers to another, with that one's kind. */
const REFERENCES: Partial<Record<string, [field: string, kind: string][]>> = {
  task: [
    ["pipelineId", "pipeline"],
    ["documentId", "document"],
  ],
  run: [["automationId", "automation"]],
};

/** Lists events with names, looked up once for the page. A search says what it could not look into. */
export async function listNamedEvents(workspaceId: WorkspaceId, filter: EventFilter, pageOf: EventPageOf): Promise<EventPage> {
  const [{ found, searchedBackTo }, searchedInPart] = await Promise.all([
    withReach(workspaceId, filter, pageOf.now, () => listEvents(workspaceId, filter, pageOf)),
    countSearchedInPart(workspaceId, filter, pageOf.now),
  ]);
  const data = await nameEvents(workspaceId, found.data);
  return { ...found, data, ...(searchedInPart && { searchedInPart }), ...(searchedBackTo && { searchedBackTo }) };
}

export async function listNamedMissingEvents(
  workspaceId: WorkspaceId,
  filter: MissingEventFilter,
  pageOf: PageOf,
): Promise<Page<MissingEvent>> {
  const page = await listMissingEvents(workspaceId, filter, pageOf);
  const resources = page.data.map(({ resource }) => resource);
  const has = (kind: MissingEventResource["kind"]) => resources.some((resource) => resource.kind === kind);
  const [names, sources, connections] = await Promise.all([
    findNames(workspaceId, resources),
    has("source") ? listSources(workspaceId) : [],
    has("connection") ? listLinkCandidates(workspaceId) : [],
  ]);
  for (const { id, name } of sources) names.set(nameKey({ kind: "source", id }), name);
  for (const { id, name } of connections) names.set(nameKey({ kind: "connection", id }), name);
  const data = page.data.map((each) => ({ ...each, resource: withName(each.resource, names) }));
  return { ...page, data };
}

export async function nameEvents<E extends EventSummary>(workspaceId: WorkspaceId, events: E[]): Promise<E[]> {
  const names = await findNames(
    workspaceId,
    events.flatMap(({ resources }) => resources),
  );
  if (names.size === 0) return events;
  return events.map((event) => ({ ...event, resources: event.resources.map((ref) => withName(ref, names)) }));
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

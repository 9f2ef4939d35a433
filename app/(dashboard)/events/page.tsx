import type { QueryKey } from "@tanstack/react-query";
import type { Metadata } from "next";
import { EventsPage } from "#components/events/list/events-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { eventQuery, eventsQuery } from "#lib/client/queries/events";
import { readFilter } from "#lib/client/url-filter";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { EVENT_FILTERS, type EventOrder, orderOf, usualOrder } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";
import { listKnownTypes } from "#lib/events/search/log-types-store";
import { listConnections } from "#lib/flows/connections/connections";
import { readEvent } from "#lib/flows/events/read-event";
import { readSources } from "#lib/flows/sources/read-sources";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { titleOfType } from "#lib/platform/event-catalogue";
import { type SearchParams, searchParamsOf } from "../page-url.ts";

export const metadata: Metadata = { title: "Events" };

const ROWS = 50;
const MAX_CONNECTIONS = 200;
/** Types that the page offers; others can be typed. */
const MAX_TYPES = 100;

const typesOf = async (workspaceId: WorkspaceId) =>
  (await listKnownTypes(workspaceId)).slice(0, MAX_TYPES).map((type) => ({ type, title: titleOfType(type) }));

type Props = { searchParams: SearchParams };

export default async function Page({ searchParams }: Props) {
  const actor = await requireActor("events.read");
  const params = searchParamsOf(await searchParams);
  const filter = readFilter(EVENT_FILTERS, params);
  const order = orderOf(params.get("order")) ?? usualOrder(filter, Date.now());
  const [entries, types, sources, connections] = await Promise.all([
    read(actor.workspaceId, filter, order, params.get("event")),
    typesOf(actor.workspaceId),
    readSources(actor.workspaceId),
    listConnections(actor.workspaceId, {}, { limit: MAX_CONNECTIONS }, new Date()),
  ]);
  return (
    <Prefetched entries={entries}>
      <EventsPage
        types={types}
        sources={sources.map(({ name }) => name)}
        connections={connections.data.map(({ id, name }) => ({ id, name }))}
        webhookUrl={sources[0]?.url ?? null}
        canRedeliver={can(actor.role, "events.redeliver")}
        canSendTest={env().sandboxOn && can(actor.role, "sandbox.use")}
      />
    </Prefetched>
  );
}

/** Leaves to the browser a search that times out, which it reports, and the count, which must not delay the first rows. */
async function read(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  order: EventOrder,
  eventId: string | null,
): Promise<(readonly [QueryKey, unknown])[]> {
  const [page, event] = await Promise.all([
    listNamedEvents(workspaceId, filter, { limit: ROWS, now: new Date(), order }).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    }),
    eventId === null ? null : readEvent(workspaceId, eventId),
  ]);
  return [
    ...(page ? [[eventsQuery(filter, order).queryKey, { pages: [page], pageParams: [null] }] as const] : []),
    ...(event ? [[eventQuery(event.id).queryKey, event] as const] : []),
  ];
}

import type { Metadata } from "next";
import { EventsPage } from "#components/events/events-page";
import { Prefetched } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readFilter } from "#lib/client/event-filter";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/app-error";
import type { EventFilter } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { listEvents } from "#lib/events/event-store";
import { listConnections } from "#lib/flows/list-connections";
import { readEvent } from "#lib/flows/read-event";
import { readSources } from "#lib/flows/read-sources";
import { describeType, EVENT_TYPES } from "#lib/platform/event-catalogue";
import { addressOf, type SearchParams } from "../address.ts";

export const metadata: Metadata = { title: "Events" };

const ROWS = 50;
const MOST_CONNECTIONS = 200;
const TYPES = EVENT_TYPES.map((type) => ({ type, title: describeType(type)?.title ?? type }));

type Props = { searchParams: SearchParams };

export default async function Page({ searchParams }: Props) {
  const actor = await requireActor("events.read");
  const params = addressOf(await searchParams);
  const filter = readFilter(params);
  const [entries, sources, connections] = await Promise.all([
    read(actor.workspaceId, filter, params.get("event")),
    readSources(actor.workspaceId),
    listConnections(actor.workspaceId, { limit: MOST_CONNECTIONS }, new Date()),
  ]);
  return (
    <Prefetched entries={entries}>
      <EventsPage
        types={TYPES}
        sources={sources.map(({ name }) => name)}
        connections={connections.data.map(({ id, name }) => ({ id, name }))}
        webhookUrl={sources[0]?.url ?? null}
        canRedeliver={can(actor.role, "events.redeliver")}
        canSendTest={env().sandboxOn && can(actor.role, "sandbox.use")}
      />
    </Prefetched>
  );
}

/** The first rows, and the event that is open beside them. A search that is too slow is left to the browser, which says so; so is counting, which no first row waits for. */
async function read(workspaceId: WorkspaceId, filter: EventFilter, eventId: string | null): Promise<[readonly unknown[], unknown][]> {
  const [page, event] = await Promise.all([
    listEvents(workspaceId, filter, { limit: ROWS }).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    }),
    eventId === null ? null : readEvent(workspaceId, eventId),
  ]);
  return [
    ...(page ? [[["event-list", filter], { pages: [page], pageParams: [null] }] as [unknown[], unknown]] : []),
    ...(event ? [[["event", event.id], event] as [unknown[], unknown]] : []),
  ];
}

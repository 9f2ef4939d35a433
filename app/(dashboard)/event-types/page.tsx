import type { Metadata } from "next";
import { EventTypesPage } from "#components/event-types/event-types-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { requireActor } from "#lib/auth/require-actor";
import { eventTypesQuery } from "#lib/client/queries/event-types";
import { readEventTypes } from "#lib/flows/event-types/read-event-types";

export const metadata: Metadata = { title: "Event types" };

export default async function Page() {
  const actor = await requireActor("events.read");
  return (
    <PrefetchedPage entries={[[eventTypesQuery.queryKey, await readEventTypes(actor.workspaceId)]]}>
      <EventTypesPage />
    </PrefetchedPage>
  );
}

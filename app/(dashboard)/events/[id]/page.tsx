import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { EventView } from "#components/events/inspector/event-view";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { eventDeliveriesQuery, MAX_EVENT_DELIVERIES } from "#lib/client/queries/event-deliveries";
import { eventQuery } from "#lib/client/queries/events";
import { visible } from "#lib/contracts/api/plain-text";
import { readEvent } from "#lib/flows/events/read-event";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";
import { recordId } from "../../page-url.ts";

type Props = { params: Promise<{ id: string }> };

/** The page and its title need the same event. */
const readOnce = cache(readEvent);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const event = await readOnce(actor.workspaceId, id);
  return { title: visible(`${event?.title ?? "Event"} ${id.slice(0, 60)}`) };
}

export default async function Page({ params }: Props) {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const [event, deliveries] = await Promise.all([
    readOnce(actor.workspaceId, id),
    readDeliveries(actor.workspaceId, { event: id }, { limit: MAX_EVENT_DELIVERIES }),
  ]);
  if (!event) notFound();
  return (
    <PrefetchedPage
      entries={[
        [eventQuery(id).queryKey, event],
        // The steps and a tab show them: what a tab's script took over as it came late would differ from what the server drew.
        [eventDeliveriesQuery(id).queryKey, deliveries.data],
      ]}
    >
      <EventView id={id} canRedeliver={can(actor.role, "events.redeliver")} />
    </PrefetchedPage>
  );
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { EventView } from "#components/events/inspector/event-view";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { eventQuery } from "#lib/client/queries/events";
import { readEvent } from "#lib/flows/events/read-event";
import { recordId } from "../../page-url.ts";

type Props = { params: Promise<{ id: string }> };

/** The page and its title need the same event. */
const readOnce = cache(readEvent);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const event = await readOnce(actor.workspaceId, id);
  return { title: `${event?.title ?? "Event"} ${id.slice(0, 60)}` };
}

export default async function Page({ params }: Props) {
  const actor = await requireActor("events.read");
  const event = await readOnce(actor.workspaceId, recordId((await params).id));
  if (!event) notFound();
  return (
    <PrefetchedPage entries={[[eventQuery(event.id).queryKey, event]]}>
      <EventView id={event.id} canRedeliver={can(actor.role, "events.redeliver")} />
    </PrefetchedPage>
  );
}

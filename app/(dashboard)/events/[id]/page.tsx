import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EventView } from "#components/events/event-view";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { readEvent } from "#lib/flows/read-event";
import { recordId } from "../../record-id.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Event ${recordId((await params).id).slice(0, 60)}` };
}

export default async function Page({ params }: Props) {
  const actor = await requireActor("events.read");
  const event = await readEvent(actor.workspaceId, recordId((await params).id));
  if (!event) notFound();
  return (
    <PageBody width="narrow">
      <Prefetched entries={[[["event", event.id], event]]}>
        <EventView id={event.id} canRedeliver={can(actor.role, "events.redeliver")} />
      </Prefetched>
    </PageBody>
  );
}

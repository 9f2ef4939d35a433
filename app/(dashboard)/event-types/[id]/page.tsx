import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EventTypePage } from "#components/event-types/event-type-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-header";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { eventTypeQuery } from "#lib/client/queries/event-types";
import { readEventType } from "#lib/flows/event-types/read-event-types";
import { recordId } from "../../page-url.ts";

export const metadata: Metadata = { title: "Event type" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const detail = await readEventType(actor.workspaceId, id);
  if (!detail) notFound();
  return (
    <PageBody>
      <Prefetched entries={[[eventTypeQuery(id).queryKey, detail]]}>
        <EventTypePage id={id} canManage={can(actor.role, "event_types.manage")} />
      </Prefetched>
    </PageBody>
  );
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { EventTypePage } from "#components/event-types/event-type-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { eventTypeQuery } from "#lib/client/queries/event-types";
import { visible } from "#lib/contracts/api/plain-text";
import { readEventType } from "#lib/flows/event-types/read-event-types";
import { recordId } from "../../page-url.ts";

type Props = { params: Promise<{ id: string }> };

/** The page and its title need the same type. */
const readOnce = cache(readEventType);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const actor = await requireActor("events.read");
  const detail = await readOnce(actor.workspaceId, recordId((await params).id));
  return { title: detail ? `${visible(detail.type.slice(0, 80))} · event type` : "Event type" };
}

export default async function Page({ params }: Props) {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const detail = await readOnce(actor.workspaceId, id);
  if (!detail) notFound();
  return (
    <PrefetchedPage entries={[[eventTypeQuery(id).queryKey, detail]]}>
      <EventTypePage id={id} canManage={can(actor.role, "event_types.manage")} />
    </PrefetchedPage>
  );
}

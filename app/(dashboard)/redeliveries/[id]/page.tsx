import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RedeliveryPage } from "#components/events/redelivery-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { redeliveryEventsQuery, redeliveryQuery } from "#lib/client/queries/redeliveries";
import { readFilter } from "#lib/client/url-filter";
import { REDELIVERY_EVENT_FILTERS } from "#lib/contracts/list-filters";
import { findRedelivery, listRedeliveryEvents } from "#lib/processing/redelivery-store";
import { recordId, type SearchParams, searchParamsOf } from "../../page-url.ts";

export const metadata: Metadata = { title: "Re-delivery" };

const ROWS = 50;

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams };

export default async function Page({ params, searchParams }: Props) {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const filter = readFilter(REDELIVERY_EVENT_FILTERS, searchParamsOf(await searchParams));
  const redelivery = await findRedelivery(actor.workspaceId, id);
  if (!redelivery) notFound();
  const events = await listRedeliveryEvents(actor.workspaceId, id, filter, { limit: ROWS });
  return (
    <PrefetchedPage
      entries={[
        [redeliveryQuery(id).queryKey, redelivery],
        [redeliveryEventsQuery(id, filter, false).queryKey, { pages: [events], pageParams: [null] }],
      ]}
    >
      <RedeliveryPage id={id} canRedeliver={can(actor.role, "events.redeliver")} />
    </PrefetchedPage>
  );
}

import type { Metadata } from "next";
import { MissingEventsPage } from "#components/missing-events/missing-events-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { missingEventRulesQuery, missingEventsQuery } from "#lib/client/queries/missing-events";
import { readFilter } from "#lib/client/url-filter";
import { MISSING_EVENT_FILTERS } from "#lib/contracts/missing-event-filters";
import { readRules } from "#lib/flows/missing-events/manage-missing-events";
import { listNamedMissingEvents } from "#lib/flows/views/read-views";
import { listSourceNames } from "#lib/sources/source-store";
import { type SearchParams, searchParamsOf } from "../page-url.ts";

export const metadata: Metadata = { title: "Missing events" };

const ROWS = 50;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("missing_events.read");
  const filter = readFilter(MISSING_EVENT_FILTERS, searchParamsOf(await searchParams));
  const [page, rules, sources] = await Promise.all([
    listNamedMissingEvents(actor.workspaceId, filter, { limit: ROWS }),
    readRules(actor.workspaceId),
    listSourceNames(actor.workspaceId),
  ]);
  return (
    <PrefetchedPage
      entries={[
        [missingEventsQuery(filter).queryKey, { pages: [page], pageParams: [null] }],
        [missingEventRulesQuery.queryKey, rules],
      ]}
    >
      <MissingEventsPage sources={[...sources.values()]} canDismiss={can(actor.role, "missing_events.dismiss")} />
    </PrefetchedPage>
  );
}

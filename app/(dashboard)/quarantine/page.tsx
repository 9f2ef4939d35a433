import type { Metadata } from "next";
import { QuarantinePage } from "#components/quarantine/quarantine-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { quarantineCausesQuery, quarantineListQuery } from "#lib/client/queries/quarantine/requests";
import { readFilter } from "#lib/client/url-filter";
import { QUARANTINE_FILTERS } from "#lib/contracts/filters/quarantine-filters";
import { readCauses } from "#lib/flows/quarantine/read-causes";
import { readQuarantine } from "#lib/flows/quarantine/read-quarantine";
import { readSources } from "#lib/flows/sources/read-sources";
import { type SearchParams, searchParamsOf } from "../url.ts";

export const metadata: Metadata = { title: "Quarantine" };

const ROWS = 50;
const DAY_MS = 86_400_000;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("quarantine.read");
  const filter = readFilter(QUARANTINE_FILTERS, searchParamsOf(await searchParams));
  const { state: _, ...cause } = filter;
  const now = new Date();
  const [page, causes, sources] = await Promise.all([
    readQuarantine(actor.workspaceId, filter, { limit: ROWS }, now),
    readCauses(actor.workspaceId, cause),
    readSources(actor.workspaceId),
  ]);
  return (
    <PageBody>
      <Prefetched
        entries={[
          [quarantineListQuery(filter).queryKey, { pages: [page], pageParams: [null] }],
          [quarantineCausesQuery(cause).queryKey, causes],
        ]}
      >
        <QuarantinePage
          sources={sources.map(({ name }) => name)}
          secretChanged={
            causes.total > 0 &&
            sources.some(({ secrets }) => secrets.some(({ createdAt }) => Date.parse(createdAt) > now.getTime() - DAY_MS))
          }
          canRelease={can(actor.role, "quarantine.release")}
          canDismiss={can(actor.role, "quarantine.dismiss")}
        />
      </Prefetched>
    </PageBody>
  );
}

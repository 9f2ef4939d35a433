import type { Metadata } from "next";
import { QuarantinePage } from "#components/quarantine/quarantine-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { quarantineDiagnosesQuery, quarantineListQuery } from "#lib/client/queries/quarantine";
import { readFilter } from "#lib/client/url-filter";
import { QUARANTINE_FILTERS } from "#lib/contracts/quarantine-filters";
import { readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";
import { isMappable } from "#lib/flows/sources/field-mapping";
import { readSources } from "#lib/flows/sources/read-sources";
import { type SearchParams, searchParamsOf } from "../page-url.ts";

export const metadata: Metadata = { title: "Quarantine" };

const ROWS = 50;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("quarantine.read");
  const filter = readFilter(QUARANTINE_FILTERS, searchParamsOf(await searchParams));
  const { state: _, ...cause } = filter;
  const now = new Date();
  const [page, diagnoses, sources] = await Promise.all([
    readQuarantine(actor.workspaceId, filter, { limit: ROWS }, now),
    readDiagnoses(actor.workspaceId, cause),
    readSources(actor.workspaceId),
  ]);
  return (
    <PrefetchedPage
      entries={[
        [quarantineListQuery(filter).queryKey, { pages: [page], pageParams: [null] }],
        [quarantineDiagnosesQuery(cause).queryKey, diagnoses],
      ]}
    >
      <QuarantinePage
        sources={sources.map(({ name }) => name)}
        rights={{
          canRelease: can(actor.role, "quarantine.release"),
          canDismiss: can(actor.role, "quarantine.dismiss"),
          canAccept: can(actor.role, "sources.manage"),
          mapFields: can(actor.role, "sources.map_fields") ? sources.filter(isMappable).map(({ name }) => name) : [],
        }}
      />
    </PrefetchedPage>
  );
}

import type { Metadata } from "next";
import { IssuesPage } from "#components/issues/issues-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-body";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { issuesQuery } from "#lib/client/queries/issues";
import { readFilter } from "#lib/client/url-filter";
import { ISSUE_FILTERS } from "#lib/contracts/filters/issue-filters";
import { readIssues } from "#lib/flows/issues/read-issues";
import { type SearchParams, searchParamsOf } from "../url.ts";

export const metadata: Metadata = { title: "Issues" };

const ROWS = 50;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("events.read");
  const filter = readFilter(ISSUE_FILTERS, searchParamsOf(await searchParams));
  const page = await readIssues(actor.workspaceId, filter, { limit: ROWS });
  return (
    <PageBody>
      <Prefetched entries={[[issuesQuery(filter).queryKey, { pages: [page], pageParams: [null] }]]}>
        <IssuesPage canManage={can(actor.role, "issues.manage")} />
      </Prefetched>
    </PageBody>
  );
}

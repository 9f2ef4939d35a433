import type { Metadata } from "next";
import { IssuesPage } from "#components/issues/issues-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { userIdOf } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { causesQuery, ISSUE_ROWS, issuesQuery } from "#lib/client/queries/issues";
import { readFilter } from "#lib/client/url-filter";
import { ISSUE_FILTERS, ISSUE_SORTS } from "#lib/contracts/issue-filters";
import { issueFilterOf, readIssues } from "#lib/flows/issues/issues";
import { readCauses } from "#lib/flows/issues/root-causes";
import { listSourceNames } from "#lib/sources/source-store";
import { type SearchParams, searchParamsOf } from "../page-url.ts";

export const metadata: Metadata = { title: "Issues" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("events.read");
  const { workspaceId, role } = actor;
  const params = searchParamsOf(await searchParams);
  const filter = readFilter(ISSUE_FILTERS, params);
  const sort = ISSUE_SORTS.find((one) => one === params.get("sort")) ?? "newest";
  const [page, causes, sources] = await Promise.all([
    issueFilterOf(actor, filter).then((own) => readIssues(workspaceId, own, { limit: ISSUE_ROWS, sort }, new Date())),
    readCauses(workspaceId),
    listSourceNames(workspaceId),
  ]);
  const rights = {
    manage: can(role, "issues.manage"),
    redeliver: can(role, "events.redeliver"),
    snooze: can(role, "alerts.manage"),
    mapFields: can(role, "sources.map_fields"),
  };
  return (
    <PrefetchedPage
      entries={[
        [issuesQuery(filter, sort).queryKey, { pages: [page], pageParams: [null] }],
        [causesQuery.queryKey, { data: causes, nextCursor: null }],
      ]}
    >
      <IssuesPage sources={[...sources.values()]} ownId={userIdOf(actor)} rights={rights} />
    </PrefetchedPage>
  );
}

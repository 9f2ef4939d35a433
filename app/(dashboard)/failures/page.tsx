import type { Metadata } from "next";
import { IssuesPage } from "#components/failures/issues-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { requireActor } from "#lib/auth/require-actor";
import { issuesQuery, readIssueFilter } from "#lib/client/issues";
import { readIssues } from "#lib/flows/read-issues";
import { addressOf, type SearchParams } from "../address.ts";

export const metadata: Metadata = { title: "Failures" };

const ROWS = 50;

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const actor = await requireActor("events.read");
  const filter = readIssueFilter(addressOf(await searchParams));
  const page = await readIssues(actor.workspaceId, filter, { limit: ROWS });
  return (
    <PageBody>
      <Prefetched entries={[[issuesQuery(filter).queryKey, { pages: [page], pageParams: [null] }]]}>
        <IssuesPage />
      </Prefetched>
    </PageBody>
  );
}

"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useUrlFilter } from "#components/records/filters/use-url-filter";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/layout/empty-state";
import { PageHeader } from "#components/ui/layout/page-header";
import { LoadOlder } from "#components/ui/lists/load-older";
import { RowKeys } from "#components/ui/lists/row-keys";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { LinkButton } from "#components/ui/primitives/link-button";
import { issuesQuery } from "#lib/client/queries/issues";
import { ISSUE_FILTERS } from "#lib/contracts/filters/issue-filters";
import { IssueFilters, issuesHref } from "./issue-filters.tsx";
import { IssueRow } from "./issue-row.tsx";

/** Failures grouped by cause: events that could not be applied, and failures that the platform reported. */
export function IssuesPage({ canManage }: { canManage: boolean }) {
  const { filter, setFilter } = useUrlFilter(ISSUE_FILTERS);
  const query = useInfiniteQuery(issuesQuery(filter));
  const { rows: issues, listeners } = useSteadyOrder(query.data?.pages.flatMap(({ data }) => data) ?? [], ({ id }) => id);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Issues"
        description="Failures grouped by cause. An issue is resolved automatically when its events succeed, and reopens if it recurs."
      />
      <IssueFilters filter={filter} onChange={setFilter} />
      {issues.length > 0 ? (
        <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? "opacity-60" : undefined}>
          <RowKeys>
            <ul aria-label="Issues, most recent failure first" className="border-t border-line" {...listeners}>
              {issues.map((issue) => (
                <IssueRow key={issue.id} issue={issue} canManage={canManage} />
              ))}
            </ul>
          </RowKeys>
          <LoadOlder query={query} className="mt-3" />
        </div>
      ) : query.isPending ? (
        <LoadingState what="issues" rows={6} />
      ) : query.isError ? (
        <ErrorState what="issues" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <NoIssues filtered={issuesHref(filter) !== "/issues"} onClear={() => setFilter({ state: ["open"] })} />
      )}
    </div>
  );
}

/** No open issues is good news; no results for a filter is not. */
function NoIssues({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <NothingMatches what="issues" onClear={onClear}>
        Try another state or origin.
      </NothingMatches>
    );
  }
  return (
    <NothingYet
      icon={<CircleCheck aria-hidden className="text-fine!" />}
      title="No open issues"
      actions={<LinkButton href={issuesHref({})}>Show all issues</LinkButton>}
    >
      Every received event was applied, and there are no open failures reported by the platform.
    </NothingYet>
  );
}

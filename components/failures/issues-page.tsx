"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { IssueFilters, issuesHref } from "#components/failures/issue-filters";
import { IssueRow } from "#components/failures/issue-row";
import { ErrorState, LoadingState, NothingMatches, NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { LoadOlder } from "#components/ui/load-older";
import { PageHeader } from "#components/ui/page-header";
import { RowKeys } from "#components/ui/row-keys";
import { issuesQuery, readIssueFilter } from "#lib/client/issues";

/** What fails, by kind: what we could not apply, which a press mends; what the platform reports, which only it can. */
export function IssuesPage() {
  const filter = readIssueFilter(new URLSearchParams(useSearchParams().toString()));
  const query = useInfiniteQuery(issuesQuery(filter));
  const issues = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Failures"
        description="What failed the same way stands together. An issue is resolved by itself when its events succeed, and opens again when it recurs."
      />
      <IssueFilters filter={filter} />
      {issues.length > 0 ? (
        <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? "opacity-60" : undefined}>
          <RowKeys>
            <ul aria-label="Issues, the one that failed last first" className="border-t border-line">
              {issues.map((issue) => (
                <IssueRow key={issue.id} issue={issue} />
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
        <NoIssues filtered={filter.state?.[0] !== "open" || filter.origin !== undefined} />
      )}
    </div>
  );
}

/** Nothing open is good news; nothing behind a filter is just an empty filter. */
function NoIssues({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <NothingMatches what="issues" onClear={() => window.history.replaceState(null, "", issuesHref("open", undefined))}>
        Look at another state, or at what comes from anywhere.
      </NothingMatches>
    );
  }
  return (
    <NothingYet
      icon={<CircleCheck aria-hidden className="text-fine!" />}
      title="No open issues"
      actions={<LinkButton href={issuesHref("all", undefined)}>See all that ever failed</LinkButton>}
    >
      Every event that arrived was applied, and the platform reports no failure that nobody has seen.
    </NothingYet>
  );
}

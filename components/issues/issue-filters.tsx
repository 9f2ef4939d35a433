"use client";

import { FilterRow } from "#components/records/filters/filter-row";
import { Count } from "#components/ui/lists/count";
import { useCounts } from "#lib/client/queries/counts";
import { filterHref } from "#lib/client/url-filter";
import { ISSUE_FILTERS, type IssueFilter } from "#lib/contracts/filters/issue-filters";

/** The URL of the list with that filter. */
export const issuesHref = (filter: IssueFilter): string => filterHref("/issues", ISSUE_FILTERS, filter);

/** Filters issues by state and origin. */
export function IssueFilters({ filter, onChange }: { filter: IssueFilter; onChange: (filter: IssueFilter) => void }) {
  const { data: counts } = useCounts();
  const open = counts && counts.openIssues > 0 ? <Count value={counts.openIssues} tone="failed" /> : null;
  return <FilterRow what="issues" filters={ISSUE_FILTERS} filter={filter} onChange={onChange} counts={{ state: { open } }} />;
}

"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ArrowDownWideNarrow, CircleCheck } from "lucide-react";
import { bySource, FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { useCommands } from "#components/shell/palette/commands";
import { NothingMatches, NothingYet, Refreshing } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { RowKeys } from "#components/ui/lists/row-keys";
import { useUrlParameter } from "#components/ui/lists/use-page-query";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Count } from "#components/ui/primitives/badge";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { useCounts } from "#lib/client/queries/counts";
import { causesQuery, issuesQuery } from "#lib/client/queries/issues";
import { filterHref, isEmptyFilter } from "#lib/client/url-filter";
import { ISSUE_FILTERS, ISSUE_SORTS, type IssueFilter, type IssueSort } from "#lib/contracts/issue-filters";
import { ISSUE_GROUPS, type IssueGroup, IssueList, isIssueGroup } from "./issue-list.tsx";
import { useAssignees } from "./issue-state.tsx";
import { type IssueRights, RootCauses } from "./root-causes.tsx";

export function IssuesPage({ sources, ownId, rights }: { sources: string[]; ownId: string | null; rights: IssueRights }) {
  const { filter, setFilter } = useUrlFilter(ISSUE_FILTERS);
  useCommands(ownId === null ? [] : [{ label: "Show issues assigned to me", run: () => setFilter({ ...filter, assignee: "me" }) }]);
  const [sortText, setSort] = useUrlParameter("sort", "newest");
  const [groupText, setGroup] = useUrlParameter("group", "cause");
  const sort: IssueSort = ISSUE_SORTS.find((one) => one === sortText) ?? "newest";
  const group = isIssueGroup(groupText) ? groupText : "cause";
  const query = useInfiniteQuery(issuesQuery(filter, sort));
  // Root causes exist only for open issues of events that couldn't be applied.
  const plain =
    group === "cause" &&
    !filter.q &&
    !filter.assignee &&
    filter.origin !== "platform" &&
    filter.origin !== "forwarding" &&
    filter.origin !== "schema" &&
    `${filter.state}` === "open";
  const { data: found } = useQuery({ ...causesQuery, enabled: plain });
  const causes = plain ? (found?.data ?? []).filter(({ source }) => !filter.source || source.name === filter.source) : [];
  const inCause = new Set(causes.flatMap(({ issues }) => issues.map(({ id }) => id)));
  const { rows: loaded, fallback } = paged(query, { what: "issues", rows: 6 });
  const issues = loaded.filter(({ id }) => !inCause.has(id));
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Issues"
        description="Failures grouped by cause. An issue is resolved automatically when its events succeed, and reopens if it recurs."
      />
      <IssueFilters sources={sources} filter={filter} onChange={setFilter} sort={sort} onSort={setSort} group={group} onGroup={setGroup} />
      <RowKeys className="flex flex-col gap-4">
        {causes.length > 0 ? <RootCauses causes={causes} rights={rights} /> : null}
        {loaded.length > 0 ? (
          <Refreshing busy={query.isPlaceholderData}>
            {issues.length > 0 ? (
              <IssueList issues={issues} ownId={ownId} group={group} beside={causes.length > 0} rights={rights} />
            ) : null}
            <LoadOlder query={query} className="mt-3" />
          </Refreshing>
        ) : (
          (fallback ??
          (causes.length > 0 ? null : (
            <NoIssues filtered={issuesHref(filter) !== "/issues"} onClear={() => setFilter({ state: ["open"] })} />
          )))
        )}
      </RowKeys>
    </div>
  );
}

/** No open issues is good news; no results for a filter is not. */
function NoIssues({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <NothingMatches what="issues" onClear={onClear}>
        Try another state, origin, source, assignee or search.
      </NothingMatches>
    );
  }
  return (
    <NothingYet
      icon={<CircleCheck className="text-fine!" />}
      title="No open issues"
      actions={<LinkButton href={issuesHref({})}>Show all issues</LinkButton>}
    >
      Every received event was applied, and there are no open failures reported by the platform.
    </NothingYet>
  );
}

export const issuesHref = (filter: IssueFilter): string => filterHref("/issues", ISSUE_FILTERS, filter);

const SORTS: Record<IssueSort, string> = { newest: "Newest failure first", first_seen: "Newest issue first", count: "Most events first" };

const ASSIGNEES = [
  { value: "me", label: "Me" },
  { value: "none", label: "Nobody" },
];

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

type IssueFiltersProps = {
  sources: string[];
  filter: IssueFilter;
  onChange: (filter: IssueFilter) => void;
  sort: IssueSort;
  onSort: (sort: string) => void;
  group: IssueGroup;
  onGroup: (group: string) => void;
};

export function IssueFilters({ sources, filter, onChange, sort, onSort, group, onGroup }: IssueFiltersProps) {
  const { data: counts } = useCounts();
  const { assignee } = filter;
  const { members, load } = useAssignees(assignee !== undefined && !ASSIGNEES.some(({ value }) => value === assignee));
  const source = bySource(sources);
  const openCount = openCountOf(filter, counts?.openIssues ?? 0);
  const open = openCount > 0 ? <Count value={openCount} tone="failed" /> : null;
  return (
    <FilterRow
      what="issues"
      filters={ISSUE_FILTERS}
      filter={filter}
      onChange={onChange}
      counts={{ state: { open } }}
      hidden={source.hidden}
      options={{ ...source.options, assignees: [...ASSIGNEES, ...members] }}
      onOpen={{ assignee: load }}
      menus={
        <DropdownMenu
          label="Order and grouping"
          trigger={
            <Button className="font-normal" icon={<ArrowDownWideNarrow className="text-faint" />}>
              {sort === "newest" && group === "cause"
                ? "Order"
                : `${SORTS[sort]}${group === "cause" ? "" : `, ${ISSUE_GROUPS[group].toLowerCase()}`}`}
            </Button>
          }
          entries={[
            { kind: "label", label: "Order" },
            { kind: "choice", value: sort, onChange: onSort, options: optionsOf(SORTS) },
            { kind: "line" },
            { kind: "label", label: "Grouping" },
            { kind: "choice", value: group, onChange: onGroup, options: optionsOf(ISSUE_GROUPS) },
          ]}
        />
      }
    />
  );
}

/** Returns how many open issues stand beside the state; 0, and none is shown, where a filter leaves some out. */
export function openCountOf({ state: _, ...others }: IssueFilter, openIssues: number): number {
  return isEmptyFilter(others) ? openIssues : 0;
}

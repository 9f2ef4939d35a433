import { ArrowDownWideNarrow } from "lucide-react";
import { bySource, FilterRow } from "#components/records/filters/filter-row";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Count } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { useCounts } from "#lib/client/queries/counts";
import { filterHref, isEmptyFilter } from "#lib/client/url-filter";
import { ISSUE_FILTERS, type IssueFilter, type IssueSort } from "#lib/contracts/issue-filters";
import type { Issue } from "#lib/contracts/issues";
import { originWords, useAssignees } from "./issue-state.tsx";

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
            <Button className="font-normal" icon={<ArrowDownWideNarrow aria-hidden className="text-faint" />}>
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

/** Groupings of the list. `cause` shows issues with a root cause under that cause, above the others. */
const ISSUE_GROUPS = { cause: "By cause", type: "By event type", source: "By source", origin: "By origin", none: "Not grouped" };
export type IssueGroup = keyof typeof ISSUE_GROUPS;

export const isIssueGroup = (text: string): text is IssueGroup => Object.hasOwn(ISSUE_GROUPS, text);

const KEYS: Partial<Record<IssueGroup, (issue: Issue) => string>> = {
  type: ({ origin, title, type }) => (origin === "forwarding" ? title : type),
  source: ({ source }) => source ?? "No source",
  origin: originWords,
};

/** Returns the issues in groups, in the order of each group's first issue. A single issue gets no heading. */
export function groupsOf(issues: Issue[], by: IssueGroup): { heading: string | null; issues: Issue[] }[] {
  const keyOf = KEYS[by];
  if (!keyOf) return [{ heading: null, issues }];
  return [...Map.groupBy(issues, keyOf)].map(([heading, all]) => ({ heading: all.length > 1 ? heading : null, issues: all }));
}

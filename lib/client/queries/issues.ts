import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/paging";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventSummary } from "#lib/contracts/events/events";
import { ISSUE_FILTERS, type IssueFilter } from "#lib/contracts/filters/issue-filters";
import type { Issue, IssueAction } from "#lib/contracts/issues";

const eventsContract = contract(() => import("#lib/contracts/events/events"));
const issuesContract = contract(() => import("#lib/contracts/issues"));

const pathOf = (id: string) => `/api/v1/issues/${encodeURIComponent(id)}`;

/** Issues, the one that failed last first. */
export const issuesQuery = (filter: IssueFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.issues, filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<Issue>> =>
      apiFetch(issuesContract("issuePage"), `/api/v1/issues?${writeFilter(ISSUE_FILTERS, filter, { cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

/** One issue. */
export const issueQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.issue, id] as const,
    queryFn: ({ signal }) => apiFetch(issuesContract("issue"), pathOf(id), { signal }),
  });

/** Acknowledges, resolves, ignores or reopens an issue. */
export function useMoveIssue(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: IssueAction) => apiSend(issuesContract("issue"), "POST", `${pathOf(id)}/state`, { action }),
    onSuccess: (moved) => queries.setQueryData(issueQuery(id).queryKey, moved),
    onSettled: () => invalidate(queries, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview),
  });
}

/** The events of an issue, newest first; fetched again when something changed. */
export const issueEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.events, "of-issue", id] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<EventSummary>> =>
      apiFetch(
        eventsContract("eventPage"),
        `/api/v1/events?${writeFilter(EVENT_FILTERS, { issue: [id] }, { cursor: pageParam, limit: "20" })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

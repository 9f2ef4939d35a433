import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import type { SnoozeFor } from "#lib/contracts/alerts/alerts";
import type { Page } from "#lib/contracts/api/paging";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventSummary } from "#lib/contracts/events/events";
import { ISSUE_FILTERS, type IssueFilter, type IssueSort } from "#lib/contracts/filters/issue-filters";
import type { Issue, IssueAction, IssuesChanged } from "#lib/contracts/issues";
import { inSlices } from "./issue-slices.ts";

const eventsContract = contract(() => import("#lib/contracts/events/events"));
const issuesContract = contract(() => import("#lib/contracts/issues"));

const pathOf = (id: string) => `/api/v1/issues/${encodeURIComponent(id)}`;

export const ISSUE_ROWS = 100;

export const issuesQuery = (filter: IssueFilter, sort: IssueSort) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.issues, filter, sort] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<Issue>> =>
      apiFetch(
        issuesContract("issuePage"),
        `/api/v1/issues?${writeFilter(ISSUE_FILTERS, filter, { cursor: pageParam, sort, limit: String(ISSUE_ROWS) })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

export const causesQuery = queryOptions({
  queryKey: [...KEYS.issues, "causes"] as const,
  queryFn: ({ signal }) => apiFetch(issuesContract("rootCausePage"), "/api/v1/issues/causes", { signal }),
});

export const issueQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.issue, id] as const,
    queryFn: ({ signal }) => apiFetch(issuesContract("issue"), pathOf(id), { signal }),
  });

export function useMoveIssue(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: IssueAction) => apiSend(issuesContract("issue"), "POST", `${pathOf(id)}/state`, { action }),
    onSuccess: (moved) => queries.setQueryData(issueQuery(id).queryKey, moved),
    onSettled: () => invalidate(queries, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview),
  });
}

export function useMoveIssues() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, action }: { ids: string[]; action: IssueAction }): Promise<IssuesChanged> =>
      inSlices(ids, (slice) => apiSend(issuesContract("issuesChanged"), "POST", "/api/v1/issues/state", { ids: slice, action })),
    onSettled: () => invalidate(queries, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview),
  });
}

export function useAssignIssues() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, assignee }: { ids: string[]; assignee: string | null }): Promise<IssuesChanged> =>
      inSlices(ids, (slice) => apiSend(issuesContract("issuesChanged"), "POST", "/api/v1/issues/assignee", { ids: slice, assignee })),
    onSettled: () => invalidate(queries, KEYS.issues, KEYS.issue),
  });
}

export function useSnoozeIssues() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, for: lasts }: { ids: string[]; for: SnoozeFor }): Promise<IssuesChanged> =>
      inSlices(ids, (slice) => apiSend(issuesContract("issuesChanged"), "POST", "/api/v1/issues/snooze", { ids: slice, for: lasts })),
    onSettled: () => invalidate(queries, KEYS.issue, KEYS.alerts),
  });
}

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

import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import type { SnoozeFor } from "#lib/contracts/alerts";
import type { Page } from "#lib/contracts/api/parameters";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventSummary } from "#lib/contracts/events/events";
import { ISSUE_FILTERS, type IssueFilter, type IssueSort } from "#lib/contracts/issue-filters";
import type { Issue, IssueAction, IssuesChanged } from "#lib/contracts/issues";
import { invalidate, KEYS } from "./keys.ts";

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

/** Most issues that the API changes in one request. */
const MAX_AT_ONCE = 100;

/** Changes any number of issues in slices, in sequence. @throws what `send` throws; earlier slices are changed by then */
export async function inSlices(ids: string[], send: (ids: string[]) => Promise<IssuesChanged>): Promise<IssuesChanged> {
  const all: IssuesChanged = { changed: [], unchanged: [] };
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const { changed, unchanged } = await send(ids.slice(from, from + MAX_AT_ONCE));
    all.changed.push(...changed);
    all.unchanged.push(...unchanged);
  }
  return all;
}

import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type EventSummary, eventPage } from "#lib/contracts/events";
import { type Issue, type IssueAction, type IssueFilter, issue, issueOrigin, issuePage, issueState } from "#lib/contracts/issues";
import type { Page } from "#lib/contracts/paging";
import { writeFilter } from "./event-filter.ts";
import { apiFetch, apiSend } from "./fetcher.ts";

const pathOf = (id: string) => `/api/v1/issues/${encodeURIComponent(id)}`;

/** The filter as it stands in the address; what an address says wrongly is left out. Without a state: the open ones. */
export function readIssueFilter(params: URLSearchParams): IssueFilter {
  const states = issueState.options.filter((state) => params.getAll("state").includes(state));
  const origin = issueOrigin.safeParse(params.get("origin")).data;
  const all = params.get("state") === "all";
  return { ...(all ? {} : { state: states.length > 0 ? states : ["open"] }), ...(origin && { origin }) };
}

function queryOf({ state, origin }: IssueFilter, cursor: string | null): string {
  const params = new URLSearchParams();
  for (const one of state ?? []) params.append("state", one);
  if (origin) params.set("origin", origin);
  if (cursor) params.set("cursor", cursor);
  return params.toString();
}

/** Issues, the one that failed last first. */
export const issuesQuery = (filter: IssueFilter) =>
  infiniteQueryOptions({
    queryKey: ["issues", filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<Issue>> =>
      apiFetch(issuePage, `/api/v1/issues?${queryOf(filter, pageParam)}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

/** One issue. */
export const issueQuery = (id: string) =>
  queryOptions({ queryKey: ["issue", id] as const, queryFn: ({ signal }) => apiFetch(issue, pathOf(id), { signal }) });

/** Acknowledges, resolves, ignores or reopens an issue. */
export function useMoveIssue(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: IssueAction) => apiSend(issue, "POST", `${pathOf(id)}/state`, { action }),
    onSuccess: (moved) => queries.setQueryData(issueQuery(id).queryKey, moved),
    onSettled: () =>
      Promise.all([["issues"], ["issue"], ["counts"], ["overview"]].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** The events of an issue, newest first; fetched again when something changed. */
export const issueEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["events", "of-issue", id] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<EventSummary>> =>
      apiFetch(eventPage, `/api/v1/events?${writeFilter({ issue: id }, { cursor: pageParam, limit: "20" })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

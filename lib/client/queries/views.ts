import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import { VIEW_FILTERS, type ViewFilter } from "#lib/contracts/list-filters";
import type { ViewKind, ViewOrder } from "#lib/contracts/views";
import { viewKeys } from "./keys.ts";

const viewsContract = contract(() => import("#lib/contracts/views"));

const apiPath = (kind: ViewKind, id?: string) => `/api/v1/${kind}s${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;

const withQuery = (path: string, query: Record<string, string>) => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
};

export function useViews(
  kind: ViewKind,
  filter: ViewFilter,
  { enabled = true, order = "desc" }: { enabled?: boolean; order?: ViewOrder } = {},
) {
  return useInfiniteQuery({
    enabled,
    queryKey: viewKeys.list(kind, filter, order),
    queryFn: ({ pageParam, signal }) => {
      const extra = { cursor: pageParam, order: order === "asc" ? order : null };
      return apiFetch(viewsContract("viewPage"), `${apiPath(kind)}?${writeFilter(VIEW_FILTERS, filter, extra)}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Counts up to 10,001. */
export function useViewCount(kind: ViewKind, filter: ViewFilter) {
  return useQuery({
    queryKey: viewKeys.count(kind, filter),
    queryFn: ({ signal }) =>
      apiFetch(viewsContract("viewCount"), `/api/v1/views/${kind}/count?${writeFilter(VIEW_FILTERS, filter)}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** `asOf`: built from the events created up to that time (ISO 8601); null for now. */
export function useView(kind: ViewKind, id: string, asOf: string | null, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: viewKeys.one(kind, id, asOf),
    queryFn: ({ signal }) => apiFetch(viewsContract("viewDetail"), withQuery(apiPath(kind, id), asOf === null ? {} : { asOf }), { signal }),
    placeholderData: keepPreviousData,
  });
}

export function useMoments(kind: ViewKind, id: string) {
  return useQuery({
    queryKey: viewKeys.moments(kind, id),
    queryFn: ({ signal }) => apiFetch(viewsContract("viewMoments"), `/api/v1/views/${kind}/${encodeURIComponent(id)}/moments`, { signal }),
  });
}

/** Events of a document's tasks don't change the document, so its timeline is polled. Milliseconds. */
const TIMELINE_MS = 15_000;

/** `newest` is the record's newest event: another one fetches the timeline again. */
export function useTimeline(kind: ViewKind, id: string, asOf: string | null, newest: string | null) {
  return useQuery({
    queryKey: viewKeys.timeline(kind, id, asOf, newest),
    queryFn: ({ signal }) => {
      const path = `/api/v1/views/${kind}/${encodeURIComponent(id)}/timeline`;
      return apiFetch(viewsContract("viewTimeline"), withQuery(path, asOf === null ? {} : { asOf }), { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: asOf === null ? TIMELINE_MS : false,
    staleTime: TIMELINE_MS,
  });
}

/** Finds records by name or ID. A search that was stopped for its time runs once more: the database then reads from memory. */
export function useViewSearch(q: string) {
  return useQuery({
    enabled: q !== "",
    queryKey: viewKeys.search(q),
    queryFn: async ({ signal }) => {
      const search = () => apiFetch(viewsContract("viewSearch"), `/api/v1/views/search?${new URLSearchParams({ q })}`, { signal });
      const found = await search();
      return found.complete ? found : search();
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import type { ChartRange } from "#lib/contracts/events/chart-range";
import { VIEW_FILTERS, type ViewFilter } from "#lib/contracts/filters/view-filters";
import type { ViewKind, ViewOrder } from "#lib/contracts/views";
import { viewKeys } from "./keys.ts";

const viewsContract = contract(() => import("#lib/contracts/views"));

const apiPath = (kind: ViewKind, id?: string) => `/api/v1/${kind}s${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;

const withQuery = (path: string, query: Record<string, string>) => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
};

/** The records of a kind, page by page, the one with the newest event first. The last rows stay while a new filter loads. */
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

/** Returns how many records of a kind match; counted up to 10,001. */
export function useViewCount(kind: ViewKind, filter: ViewFilter) {
  return useQuery({
    queryKey: viewKeys.count(kind, filter),
    queryFn: ({ signal }) =>
      apiFetch(viewsContract("viewCount"), `/api/v1/views/${kind}/count?${writeFilter(VIEW_FILTERS, filter)}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One record, now (`asOf` null) or built from the events created up to a moment (ISO 8601). */
export function useView(kind: ViewKind, id: string, asOf: string | null, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: viewKeys.one(kind, id, asOf),
    queryFn: ({ signal }) => apiFetch(viewsContract("viewDetail"), withQuery(apiPath(kind, id), asOf === null ? {} : { asOf }), { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The moments at which a record may have changed, oldest first. */
export function useMoments(kind: ViewKind, id: string) {
  return useQuery({
    queryKey: viewKeys.moments(kind, id),
    queryFn: ({ signal }) => apiFetch(viewsContract("viewMoments"), `/api/v1/views/${kind}/${encodeURIComponent(id)}/moments`, { signal }),
  });
}

/** Events of a document's tasks don't change the document: its timeline asks for them this often. Milliseconds. */
const TIMELINE_MS = 15_000;

/**
 * Returns what happened to a record and what each event changed, now (`asOf` null) or up to a moment (ISO 8601).
 *
 * @param newest the record's newest event: with another one the timeline is read again
 */
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

/** A pipeline's board, now (`asOf` null) or as of a moment (ISO 8601). */
export function useBoard(id: string, asOf: string | null, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: viewKeys.board(id, asOf),
    queryFn: ({ signal }) =>
      apiFetch(viewsContract("pipelineBoard"), withQuery(`${apiPath("pipeline", id)}/board`, asOf === null ? {} : { asOf }), { signal }),
    placeholderData: keepPreviousData,
  });
}

/** It counts by minute at the finest, so it need not follow every event. Milliseconds. */
const THROUGHPUT_MS = 60_000;

/** Returns how many tasks entered each stage of a pipeline, and were completed, over a range that ends now. */
export function useThroughput(id: string, range: ChartRange) {
  return useQuery({
    queryKey: viewKeys.throughput(id, range),
    queryFn: ({ signal }) =>
      apiFetch(viewsContract("pipelineThroughput"), `${apiPath("pipeline", id)}/throughput?range=${range}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: THROUGHPUT_MS,
    staleTime: THROUGHPUT_MS,
  });
}

/**
 * Records of every kind by name or id; nothing is asked for an empty text. The last results stay while the next load. A search
 * that was stopped for its time is run once more, with what it read in memory.
 */
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

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { apiFetch } from "#lib/client/fetcher";
import { type ViewFilter, viewKeys } from "#lib/client/view-keys";
import { pipelineBoard, pipelineThroughput, type ViewKind, viewDetail, viewMoments, viewPage } from "#lib/contracts/views";

const addressOf = (kind: ViewKind, id?: string) => `/api/v1/${kind}s${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;

const withQuery = (path: string, query: Record<string, string>) => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
};

/** The views of a kind, page by page, the one with the newest event first. The last answer stands while a new filter loads. */
export function useViews(kind: ViewKind, filter: ViewFilter, enabled = true) {
  return useInfiniteQuery({
    enabled,
    queryKey: viewKeys.list(kind, filter),
    queryFn: ({ pageParam, signal }) =>
      apiFetch(viewPage, withQuery(addressOf(kind), { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** One view, now (`asOf` null) or as the events created up to a moment (ISO 8601) make it. */
export function useView(kind: ViewKind, id: string, asOf: string | null, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: viewKeys.one(kind, id, asOf),
    queryFn: ({ signal }) => apiFetch(viewDetail, withQuery(addressOf(kind, id), asOf === null ? {} : { asOf }), { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The moments at which a record may have changed, oldest first. */
export function useMoments(kind: ViewKind, id: string) {
  return useQuery({
    queryKey: viewKeys.moments(kind, id),
    queryFn: ({ signal }) => apiFetch(viewMoments, `/api/v1/views/${kind}/${encodeURIComponent(id)}/moments`, { signal }),
  });
}

/** A pipeline's board, now (`asOf` null) or as of a moment (ISO 8601). */
export function useBoard(id: string, asOf: string | null, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: viewKeys.board(id, asOf),
    queryFn: ({ signal }) =>
      apiFetch(pipelineBoard, withQuery(`${addressOf("pipeline", id)}/board`, asOf === null ? {} : { asOf }), { signal }),
    placeholderData: keepPreviousData,
  });
}

/** It counts hours: it need not follow every event. Milliseconds. */
const THROUGHPUT_MS = 60_000;

/** How many tasks came to each stage of a pipeline, and were completed, by hour. */
export function useThroughput(id: string) {
  return useQuery({
    queryKey: viewKeys.throughput(id),
    queryFn: ({ signal }) => apiFetch(pipelineThroughput, `${addressOf("pipeline", id)}/throughput`, { signal }),
    refetchInterval: THROUGHPUT_MS,
    staleTime: THROUGHPUT_MS,
  });
}

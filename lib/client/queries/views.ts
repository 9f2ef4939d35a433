import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { BOARD_FILTERS, type BoardFilter } from "#lib/contracts/board-filters";
import type { ChartRange } from "#lib/contracts/events/event-times";
import { VIEW_FILTERS, type ViewFilter } from "#lib/contracts/list-filters";
import type { ViewKind, ViewOrder } from "#lib/contracts/views";
import { call, reading, readingPages } from "./api.ts";
import { viewKeys } from "./keys.ts";

export function useViews(
  kind: ViewKind,
  filter: ViewFilter,
  { enabled = true, order = "desc" }: { enabled?: boolean; order?: ViewOrder } = {},
) {
  const query = writeFilter(VIEW_FILTERS, filter, { order: order === "asc" ? order : null });
  return useInfiniteQuery({
    ...readingPages(viewKeys.list(kind, filter, order), `GET /api/v1/${kind}s`, { query }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** Counts up to 10,001. */
export const useViewCount = (kind: ViewKind, filter: ViewFilter) =>
  useQuery({
    ...reading(viewKeys.count(kind, filter), "GET /api/v1/views/{kind}/count", { kind, query: writeFilter(VIEW_FILTERS, filter) }),
    placeholderData: keepPreviousData,
  });

/** `asOf`: built from the events created up to that time (ISO 8601); null for now. */
export const useView = (kind: ViewKind, id: string, asOf: string | null, { enabled = true } = {}) =>
  useQuery({
    ...reading(viewKeys.one(kind, id, asOf), `GET /api/v1/${kind}s/{id}`, { id, query: { asOf } }),
    enabled,
    placeholderData: keepPreviousData,
  });

export const useMoments = (kind: ViewKind, id: string) =>
  useQuery(reading(viewKeys.moments(kind, id), "GET /api/v1/views/{kind}/{id}/moments", { kind, id }));

/** Events of a document's tasks don't change the document, so its timeline is polled. Milliseconds. */
const TIMELINE_MS = 15_000;

/** `newest` is the record's newest event: another one fetches the timeline again. */
export const useTimeline = (kind: ViewKind, id: string, asOf: string | null, newest: string | null) =>
  useQuery({
    ...reading(viewKeys.timeline(kind, id, asOf, newest), "GET /api/v1/views/{kind}/{id}/timeline", { kind, id, query: { asOf } }),
    placeholderData: keepPreviousData,
    refetchInterval: asOf === null ? TIMELINE_MS : false,
    staleTime: TIMELINE_MS,
  });

/** Finds records by name or ID. A search that was stopped for its time runs once more: the database then reads from memory. */
export function useViewSearch(q: string) {
  return useQuery({
    enabled: q !== "",
    queryKey: viewKeys.search(q),
    queryFn: async ({ signal }) => {
      const search = () => call("GET /api/v1/views/search", { query: { q }, signal });
      const found = await search();
      return found.complete ? found : search();
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export const useBoard = (id: string, asOf: string | null, filter: BoardFilter, { enabled = true } = {}) =>
  useQuery({
    ...reading(viewKeys.board(id, asOf, filter), "GET /api/v1/pipelines/{id}/board", {
      id,
      query: writeFilter(BOARD_FILTERS, filter, { asOf }),
    }),
    enabled,
    placeholderData: keepPreviousData,
  });

const THROUGHPUT_MS = 60_000;

export const useThroughput = (id: string, range: ChartRange) =>
  useQuery({
    ...reading(viewKeys.throughput(id, range), "GET /api/v1/pipelines/{id}/throughput", { id, query: { range } }),
    placeholderData: keepPreviousData,
    refetchInterval: THROUGHPUT_MS,
    staleTime: THROUGHPUT_MS,
  });

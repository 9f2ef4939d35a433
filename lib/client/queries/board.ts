import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import { BOARD_FILTERS, type BoardFilter } from "#lib/contracts/board-filters";
import type { ChartRange } from "#lib/contracts/events/event-times";
import { viewKeys } from "./keys.ts";

const viewsContract = contract(() => import("#lib/contracts/views"));

const apiPath = (id: string) => `/api/v1/pipelines/${encodeURIComponent(id)}`;

export function useBoard(id: string, asOf: string | null, filter: BoardFilter, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: viewKeys.board(id, asOf, filter),
    queryFn: ({ signal }) =>
      apiFetch(viewsContract("pipelineBoard"), `${apiPath(id)}/board?${writeFilter(BOARD_FILTERS, filter, { asOf })}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

const THROUGHPUT_MS = 60_000;

export function useThroughput(id: string, range: ChartRange) {
  return useQuery({
    queryKey: viewKeys.throughput(id, range),
    queryFn: ({ signal }) => apiFetch(viewsContract("pipelineThroughput"), `${apiPath(id)}/throughput?range=${range}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: THROUGHPUT_MS,
    staleTime: THROUGHPUT_MS,
  });
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { BOARD_FILTERS, type BoardFilter } from "#lib/contracts/board-filters";
import type { ChartRange } from "#lib/contracts/events/event-times";
import { reading } from "./api.ts";
import { viewKeys } from "./keys.ts";

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

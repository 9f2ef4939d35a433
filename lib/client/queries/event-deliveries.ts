import { queryOptions, useQuery } from "@tanstack/react-query";
import { readingRows } from "./api.ts";
import { DELIVERIES_OF_EVENT } from "./keys.ts";

/** Responses of destinations have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

/** One for each destination. */
export const MAX_EVENT_DELIVERIES = 200;

export const eventDeliveriesQuery = (event: string) =>
  queryOptions({
    ...readingRows([...DELIVERIES_OF_EVENT, event], "GET /api/v1/deliveries", { query: { event, limit: MAX_EVENT_DELIVERIES } }),
    refetchInterval: ({ state }) => (state.data?.some(({ finishedAt }) => finishedAt === null) ? POLL_MS : false),
  });

export const useEventDeliveries = (event: string) => useQuery(eventDeliveriesQuery(event));

import { useQuery } from "@tanstack/react-query";
import { readingRows } from "./api.ts";

/** Responses of destinations have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

/** Reads at most 200: one for each destination. */
export const useEventDeliveries = (event: string) =>
  useQuery({
    ...readingRows(["deliveries", "of-event", event], "GET /api/v1/deliveries", { query: { event, limit: 200 } }),
    refetchInterval: ({ state }) => (state.data?.some(({ finishedAt }) => finishedAt === null) ? POLL_MS : false),
  });

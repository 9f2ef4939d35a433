import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch } from "#lib/client/fetcher";
import { eventPage } from "#lib/contracts/events";

/** How many the overview shows. */
export const LATEST_EVENTS = 8;

/** The newest events of the log; the live feed has it fetched again as they are applied. */
export const latestEventsQuery = queryOptions({
  queryKey: ["events", "latest"] as const,
  queryFn: ({ signal }) => apiFetch(eventPage, `/api/v1/events?limit=${LATEST_EVENTS}`, { signal }),
});

export const useLatestEvents = () => useQuery(latestEventsQuery);

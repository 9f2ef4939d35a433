import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const eventsContract = contract(() => import("#lib/contracts/events/events"));

export const LATEST_EVENTS = 8;

export const latestEventsQuery = queryOptions({
  queryKey: [...KEYS.events, "latest"] as const,
  queryFn: ({ signal }) => apiFetch(eventsContract("eventPage"), `/api/v1/events?limit=${LATEST_EVENTS}`, { signal }),
});

export const useLatestEvents = () => useQuery(latestEventsQuery);

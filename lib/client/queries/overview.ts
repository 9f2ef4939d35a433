import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import { KEYS } from "./keys.ts";

const overviewContract = contract(() => import("#lib/contracts/overview"));

/** Quarantined requests and silence have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

export const overviewQuery = queryOptions({
  queryKey: KEYS.overview,
  queryFn: ({ signal }) => apiFetch(overviewContract("overview"), "/api/v1/overview", { signal }),
  refetchInterval: POLL_MS,
});

export const useOverview = () => useQuery(overviewQuery);

export const changesQuery = queryOptions({
  queryKey: [...KEYS.overview, "changes"],
  queryFn: ({ signal }) => apiFetch(overviewContract("changes"), "/api/v1/overview/changes", { signal }),
});

const eventsContract = contract(() => import("#lib/contracts/events/events"));

export const LATEST_EVENTS = 8;

export const latestEventsQuery = queryOptions({
  queryKey: [...KEYS.events, "latest"] as const,
  queryFn: ({ signal }) => apiFetch(eventsContract("eventPage"), `/api/v1/events?limit=${LATEST_EVENTS}`, { signal }),
});

export const useLatestEvents = () => useQuery(latestEventsQuery);

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/paging";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventPage, EventSummary } from "#lib/contracts/events/events";

/** Refetch of a pending event, in case the live feed is down. Milliseconds. */
const PENDING_MS = 2000;

/** While the search index is rebuilt, older matches keep coming in at the end. Milliseconds. */
const REBUILDING_MS = 10_000;

const eventsContract = contract(() => import("#lib/contracts/events/events"));

const eventPath = (id: string) => `/api/v1/events/${encodeURIComponent(id)}`;

const NEWEST_ROWS = 100;
const NO_EVENTS: Page<EventSummary> = { data: [], nextCursor: null };

/** The log, newest first. Not refetched while shown, since rows would move under a reader: `newestQuery` brings it up to date. */
export const eventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.eventList, filter] as const,
    queryFn: ({ pageParam, signal }): Promise<EventPage> =>
      apiFetch(eventsContract("eventPage"), `/api/v1/events?${writeFilter(EVENT_FILTERS, filter, { cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.searchedBackTo ? REBUILDING_MS : false),
  });

/** The newest matching events. Empty until `KEYS.events` is invalidated, by the live feed or a re-delivery. */
export const newestQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: [...KEYS.events, "newest", filter] as const,
    queryFn: ({ signal }): Promise<Page<EventSummary>> =>
      apiFetch(eventsContract("eventPage"), `/api/v1/events?${writeFilter(EVENT_FILTERS, filter, { limit: String(NEWEST_ROWS) })}`, {
        signal,
      }),
    initialData: NO_EVENTS,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.event, id] as const,
    queryFn: ({ signal }) => apiFetch(eventsContract("eventDetail"), eventPath(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? PENDING_MS : false),
  });

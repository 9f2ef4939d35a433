import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/paging";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventPage, EventSummary } from "#lib/contracts/events/events";

/** While an event is pending its page refetches this often, in case the live feed is down. Milliseconds. */
const PENDING_MS = 2000;

/** While the search index is being rebuilt, a search is asked again this often: older matches come in below. Milliseconds. */
const REBUILDING_MS = 10_000;

const eventsContract = contract(() => import("#lib/contracts/events/events"));

const eventPath = (id: string) => `/api/v1/events/${encodeURIComponent(id)}`;

/** Number of the newest rows that are fetched to bring a list up to date. */
const NEWEST_ROWS = 100;
const NO_EVENTS: Page<EventSummary> = { data: [], nextCursor: null };

/**
 * The log, newest first, 50 at a time. Once loaded it is not refetched while
 * shown, since rows would move while someone reads, unless the search was not
 * whole. `newestQuery` brings it up to date.
 */
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

/**
 * The newest events that match. Empty until something changes: invalidating
 * `KEYS.events` (the live feed, a re-delivery) fetches it.
 */
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

/** Everything about one event. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.event, id] as const,
    queryFn: ({ signal }) => apiFetch(eventsContract("eventDetail"), eventPath(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? PENDING_MS : false),
  });

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { EventFilter, EventSummary } from "#lib/contracts/events";
import type { Page } from "#lib/contracts/paging";
import { writeFilter } from "./event-filter.ts";
import { fetchLater } from "./fetch-later.ts";

/** While an event waits to be applied its page looks again this often, should the live feed be away. Milliseconds. */
const PENDING_MS = 2000;

const eventPage = () => import("#lib/contracts/events").then((module) => module.eventPage);
const eventDetail = () => import("#lib/contracts/events").then((module) => module.eventDetail);

const eventPath = (id: string) => `/api/v1/events/${encodeURIComponent(id)}`;

/** How many of the newest rows are asked for to bring a list up to date. */
const NEWEST_ROWS = 100;
const NO_EVENTS: Page<EventSummary> = { data: [], nextCursor: null };

/**
 * The log, newest first, 50 at a time. Once loaded it is not fetched again as
 * long as it is shown: rows would move under the reader. `newestQuery` brings
 * it up to date.
 */
export const eventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ["event-list", filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<EventSummary>> =>
      fetchLater(eventPage, `/api/v1/events?${writeFilter(filter, { cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/**
 * The newest events that match. Empty until something changes: then whoever
 * invalidates `["events"]` (the live feed, a re-delivery) has it fetched.
 */
export const newestQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: ["events", "newest", filter] as const,
    queryFn: ({ signal }): Promise<Page<EventSummary>> =>
      fetchLater(eventPage, `/api/v1/events?${writeFilter(filter, { limit: String(NEWEST_ROWS) })}`, { signal }),
    initialData: NO_EVENTS,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Everything about one event. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ["event", id] as const,
    queryFn: ({ signal }) => fetchLater(eventDetail, eventPath(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? PENDING_MS : false),
  });

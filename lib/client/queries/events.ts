import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import {
  EVENT_FILTER_NAMES,
  EVENT_FILTERS,
  type EventFilterName,
  type EventOrder,
  type Verdict,
} from "#lib/contracts/events/event-filters";
import type { EventFilter, EventPage, EventSummary, ExportBody } from "#lib/contracts/events/events";
import { call, reading, readingPages } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Refetch of a pending event, in case the live feed is down. Milliseconds. */
const PENDING_MS = 2000;

/** While the search index is rebuilt, older matches keep coming in at the end. Milliseconds. */
const REBUILDING_MS = 10_000;

const NEWEST_ROWS = 100;
const NO_EVENTS: Page<EventSummary> = { data: [], nextCursor: null };

const paramsOf = (filter: EventFilter, order: EventOrder | undefined, limit?: string) => ({
  query: writeFilter(EVENT_FILTERS, filter, { order: order === "occurred" ? order : null, limit }),
});

/** The log, newest first. Not refetched while shown, since rows would move under a reader: `newestQuery` brings it up to date. */
export const eventsQuery = (filter: EventFilter, order?: EventOrder) =>
  infiniteQueryOptions({
    ...readingPages([...KEYS.eventList, filter, order], "GET /api/v1/events", paramsOf(filter, order)),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.searchedBackTo ? REBUILDING_MS : false),
  });

/** The newest matching events. Empty until `KEYS.events` is invalidated, by the live feed or a re-delivery. */
export const newestQuery = (filter: EventFilter, order?: EventOrder) =>
  queryOptions({
    ...reading([...KEYS.events, "newest", filter, order], "GET /api/v1/events", paramsOf(filter, order, String(NEWEST_ROWS))),
    initialData: NO_EVENTS,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const eventQuery = (id: string) =>
  queryOptions({
    ...reading([...KEYS.event, id], "GET /api/v1/events/{id}", { id }),
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? PENDING_MS : false),
  });

export type EventPages = InfiniteData<EventPage, string | null>;

/** Two sources may use the same ID. */
export const keyOf = (event: EventSummary): string => `${event.source} ${event.id}`;

export function rowsOf(data: { pages: Page<EventSummary>[] } | undefined): EventSummary[] {
  const rows = new Map<string, EventSummary>();
  for (const page of data?.pages ?? []) for (const event of page.data) if (!rows.has(keyOf(event))) rows.set(keyOf(event), event);
  return [...rows.values()];
}

/** The time by which a list is ordered. */
const timeOf = ({ created, receivedAt }: EventSummary, order: EventOrder | undefined) => (order === "occurred" ? created : receivedAt);

/** Updates loaded rows without moving any. Same object if nothing changed; `unseen` leaves out events older than the loaded part. */
export function refreshRows(
  data: EventPages,
  now: readonly EventSummary[],
  order?: EventOrder,
): { data: EventPages; unseen: EventSummary[] } {
  const fresh = new Map(now.map((event) => [keyOf(event), event]));
  const seen = new Set<string>();
  let changed = false;
  const pages = data.pages.map((page) => ({
    ...page,
    data: page.data.map((event) => {
      const key = keyOf(event);
      seen.add(key);
      const next = fresh.get(key);
      if (!next || JSON.stringify(next) === JSON.stringify(event)) return event;
      changed = true;
      return next;
    }),
  }));
  const last = data.pages.at(-1);
  const end = last?.nextCursor == null ? undefined : last.data.at(-1);
  const oldest = end ? timeOf(end, order) : "";
  const unseen = now.filter((event) => !seen.has(keyOf(event)) && timeOf(event, order) > oldest);
  return { data: changed ? { ...data, pages } : data, unseen };
}

/** Removes rows that the newest response should contain but does not: they no longer match. */
export function dropGone(data: EventPages, newest: Page<EventSummary>, order?: EventOrder): EventPages {
  const still = new Set(newest.data.map(keyOf));
  const end = newest.nextCursor === null ? undefined : newest.data.at(-1);
  const oldest = end ? timeOf(end, order) : "";
  const stays = (event: EventSummary) => still.has(keyOf(event)) || timeOf(event, order) <= oldest;
  if (rowsOf(data).every(stays)) return data;
  return { ...data, pages: data.pages.map((page) => ({ ...page, data: page.data.filter(stays) })) };
}

export function prependRows(data: EventPages, events: readonly EventSummary[], order?: EventOrder): EventPages {
  const { data: refreshed, unseen } = refreshRows(data, events, order);
  const [first, ...rest] = refreshed.pages;
  if (!first || unseen.length === 0) return refreshed;
  return { ...refreshed, pages: [{ ...first, data: newestFirst([...unseen, ...first.data], order) }, ...rest] };
}

/** Joins two sets of waiting events; the later version of an event wins. */
export function joinWaiting(waiting: readonly EventSummary[], more: readonly EventSummary[]): EventSummary[] {
  return newestFirst([...new Map([...waiting, ...more].map((event) => [keyOf(event), event])).values()]);
}

const newestFirst = (events: EventSummary[], order?: EventOrder) =>
  events.sort((a, b) => {
    const [one, other] = [timeOf(a, order), timeOf(b, order)];
    return one === other ? 0 : one < other ? 1 : -1;
  });

/** Returns whether an event of the feed belongs in the list; `unknown` if only the server can tell. */
export function matchesFilter(event: EventSummary, filter: EventFilter): Verdict {
  const verdicts = EVENT_FILTER_NAMES.map((name) => verdictOf(name, filter, event));
  return verdicts.find((verdict) => verdict === "no") ?? verdicts.find((verdict) => verdict === "unknown") ?? "yes";
}

function verdictOf<Name extends EventFilterName>(name: Name, filter: EventFilter, event: EventSummary): Verdict {
  const value = filter[name];
  return value === undefined ? "yes" : EVENT_FILTERS[name].matches(value, event);
}

export const useExport = () =>
  useMutation({
    mutationFn: async (body: ExportBody) => {
      const prepared = await call("POST /api/v1/events/exports", { body });
      const link = document.createElement("a");
      link.href = `/api/v1/events/exports/${encodeURIComponent(prepared.id)}`;
      link.download = "";
      link.click();
      return prepared;
    },
  });

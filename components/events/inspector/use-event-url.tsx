"use client";

import { useCallback, useMemo } from "react";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { filterHref, readFilter, stepOf, writeFilter } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";

/** Keeps the list's state in the URL, through the history API only, so that no page is requested from the server. */
export function useEventUrl() {
  const { query, go } = usePageQuery();
  const filter = useEqualFilter(readFilter(EVENT_FILTERS, query));
  const selected = query.get("event");
  const tab = query.get("tab");
  const hrefOf = useCallback((id: string | null) => listUrl(filter, id, tab), [filter, tab]);

  const setFilter = (next: EventFilter) => go(listUrl(next, selected, tab), stepOf(EVENT_FILTERS, filter, next));
  /** Opening and closing an event are history entries; moving from one open event to the next is not. */
  const select = (id: string | null) => {
    if (id !== selected) go(hrefOf(id), id !== null && selected !== null ? "same" : "own");
  };
  const setTab = (next: string) => go(listUrl(filter, selected, next));
  return { filter, selected, tab, setFilter, select, setTab, hrefOf };
}

/** Returns the same object while the filter is equal: opening an event must not clear the selection and the waiting events. */
function useEqualFilter(filter: EventFilter): EventFilter {
  const written = writeFilter(EVENT_FILTERS, filter).toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters whose text is equal are equal.
  return useMemo(() => filter, [written]);
}

const listUrl = (filter: EventFilter, event: string | null, tab: string | null) =>
  filterHref("/events", EVENT_FILTERS, filter, { event, tab: event === null ? null : tab });

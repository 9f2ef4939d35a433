"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { goTo } from "#lib/client/history";
import { changesTextAlone, filterHref, readFilter } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";

/**
 * The list's state is in the URL: the filter, and the event that is open beside
 * the list. It is changed through the history API only, so no page is fetched
 * from the server for it.
 *
 * Next passes a changed URL on asynchronously; a second key press would still
 * see the old one. So the state keeps its own copy of what was written.
 */
export function useEventUrl() {
  const fromNext = useSearchParams().toString();
  const [text, setText] = useState(fromNext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fromNext` says when to read (Back, a link); the browser's own URL is the newest.
  useEffect(() => setText(new URLSearchParams(window.location.search).toString()), [fromNext]);

  const filter = useMemo(() => readFilter(EVENT_FILTERS, new URLSearchParams(text)), [text]);
  const selected = new URLSearchParams(text).get("event");
  const tab = new URLSearchParams(text).get("tab");
  const hrefOf = useCallback((id: string | null) => listUrl(filter, id, tab), [filter, tab]);

  const written = () => setText(new URLSearchParams(window.location.search).toString());
  const setFilter = (next: EventFilter) => {
    goTo(listUrl(next, selected, tab), changesTextAlone(EVENT_FILTERS, filter, next));
    written();
  };
  /** Opening and closing an event are steps of the history; moving from one open event to the next is not. */
  const select = (id: string | null) => {
    if (id === selected) return;
    if (id !== null && selected !== null) window.history.replaceState(null, "", hrefOf(id));
    else goTo(hrefOf(id));
    written();
  };
  const setTab = (next: string) => {
    goTo(listUrl(filter, selected, next));
    written();
  };
  return { filter, selected, tab, setFilter, select, setTab, hrefOf };
}

/** The tab belongs to the open event. */
const listUrl = (filter: EventFilter, event: string | null, tab: string | null) =>
  filterHref("/events", EVENT_FILTERS, filter, { event, tab: event === null ? null : tab });

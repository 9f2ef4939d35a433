"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { readFilter, writeFilter } from "#lib/client/event-filter";
import type { EventFilter } from "#lib/contracts/events";

/**
 * The list's state lives in the address: the filter, and the event that is open
 * beside the list. It is changed through the history alone, so no page is
 * fetched from the server for it.
 */
export function useEventAddress() {
  const params = useSearchParams();
  const text = params.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(text)), [text]);
  const selected = params.get("event");
  const hrefOf = useCallback((id: string | null) => address(filter, id), [filter]);

  const setFilter = (next: EventFilter) => window.history.replaceState(null, "", address(next, selected));
  /** Opening makes a step to go back from; moving on from one open event to the next does not. */
  const select = (id: string | null) => {
    if (id === selected) return;
    const how = selected === null ? "pushState" : "replaceState";
    window.history[how](null, "", hrefOf(id));
  };
  return { filter, selected, setFilter, select, hrefOf };
}

function address(filter: EventFilter, event: string | null): string {
  const query = writeFilter(filter, { event }).toString();
  return query === "" ? "/events" : `/events?${query}`;
}

"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { readFilter, writeFilter } from "#lib/client/event-filter";
import type { EventFilter } from "#lib/contracts/events";

/**
 * The list's state lives in the address: the filter, and the event that is open
 * beside the list. It is changed through the history alone, so no page is
 * fetched from the server for it.
 *
 * Next hands a changed address on when it finds the time; a second key press
 * would still see the old one. So what was written here is kept here too.
 */
export function useEventAddress() {
  const handed = useSearchParams().toString();
  const [text, setText] = useState(handed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `handed` says when to look (Back, a link); the browser's address is the newest.
  useEffect(() => setText(new URLSearchParams(window.location.search).toString()), [handed]);

  const filter = useMemo(() => readFilter(new URLSearchParams(text)), [text]);
  const selected = new URLSearchParams(text).get("event");
  const hrefOf = useCallback((id: string | null) => address(filter, id), [filter]);

  const go = (how: "pushState" | "replaceState", href: string) => {
    window.history[how](null, "", href);
    setText(new URLSearchParams(href.split("?")[1]).toString());
  };
  const setFilter = (next: EventFilter) => go("replaceState", address(next, selected));
  /** Opening makes a step to go back from; moving on from one open event to the next does not. */
  const select = (id: string | null) => {
    if (id !== selected) go(selected === null ? "pushState" : "replaceState", hrefOf(id));
  };
  return { filter, selected, setFilter, select, hrefOf };
}

function address(filter: EventFilter, event: string | null): string {
  const query = writeFilter(filter, { event }).toString();
  return query === "" ? "/events" : `/events?${query}`;
}

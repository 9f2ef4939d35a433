import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { isTyping } from "#lib/client/typing";
import { filterHref, readFilter, stepOf, writeFilter } from "#lib/client/url-filter";
import { EVENT_FILTERS, type EventOrder, orderOf, usualOrder } from "#lib/contracts/events/event-filters";
import type { EventFilter } from "#lib/contracts/events/events";

/** Keeps the list's state in the URL, through the history API only, so that no page is requested from the server. */
export function useEventUrl() {
  const { query, go } = usePageQuery();
  const filter = useEqualFilter(readFilter(EVENT_FILTERS, query));
  const selected = query.get("event");
  const tab = query.get("tab");
  const asked = orderOf(query.get("order"));
  const order = asked ?? usualOrder(filter, Date.now());
  const hrefOf = useCallback((id: string | null) => listUrl(filter, order, id, tab), [filter, order, tab]);

  const setFilter = (next: EventFilter) => go(listUrl(next, asked, selected, tab), stepOf(EVENT_FILTERS, filter, next));
  /** Events are sorted by occurrence within a month. */
  const setOrder = (next: EventOrder) => go(listUrl(next === "occurred" ? withSpan(filter) : filter, next, selected, tab));
  /** Opening and closing an event are history entries; moving from one open event to the next is not. */
  const select = (id: string | null) => {
    if (id !== selected) go(hrefOf(id), id !== null && selected !== null ? "same" : "own");
  };
  const setTab = (next: string) => go(listUrl(filter, order, selected, next));
  return { filter, order, selected, tab, setFilter, setOrder, select, setTab, hrefOf };
}

/** Returns the same object while the filter is equal: opening an event must not clear the selection and the waiting events. */
function useEqualFilter(filter: EventFilter): EventFilter {
  const written = writeFilter(EVENT_FILTERS, filter).toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters whose text is equal are equal.
  return useMemo(() => filter, [written]);
}

const listUrl = (filter: EventFilter, order: EventOrder | undefined, event: string | null, tab: string | null) =>
  filterHref("/events", EVENT_FILTERS, filter, {
    order: order === usualOrder(filter, Date.now()) ? null : (order ?? null),
    event,
    tab: event === null ? null : tab,
  });

const withSpan = (filter: EventFilter): EventFilter =>
  filter.period || filter.from || filter.occurredFrom ? filter : { ...filter, period: "30d" };

const MOVES = new Set(["j", "k", "ArrowDown", "ArrowUp"]);

type ListKeys = {
  list: RefObject<HTMLElement | null>;
  selected: string | null;
  select: (id: string | null) => void;
  enterInspector: () => void;
};

/** Makes the inspector follow the focus, which other keys move (useRowCommands). Enter moves into it, Escape closes it. */
export function useListKeys({ list, selected, select, enterInspector }: ListKeys): void {
  useCommands([
    { label: "Open event", keys: "Enter" },
    { label: "Close event", keys: "Esc" },
  ]);
  useEffect(() => {
    const links = () => [...(list.current?.querySelectorAll<HTMLElement>("a[data-row-link]") ?? [])];
    const focused = () => links().find((link) => link === document.activeElement);
    const idOf = (link: HTMLElement | undefined) => link?.closest<HTMLElement>("[data-event]")?.dataset.event ?? null;

    function follow() {
      const id = idOf(focused());
      if (selected !== null && id !== null && id !== selected) select(id);
    }

    function close() {
      const open = selected;
      select(null);
      links()
        .find((link) => idOf(link) === open)
        ?.focus();
    }

    function onKey(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      if (MOVES.has(event.key))
        setTimeout(follow); // whoever moves the focus may hear the key after us
      else if (event.key === "Escape" && !event.defaultPrevented && selected !== null) close();
      else if (event.key === "Enter" && selected !== null && idOf(focused()) === selected) {
        event.preventDefault();
        enterInspector();
      }
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [list, selected, select, enterInspector]);
}

/**
 * Keeps a row where it is on screen while an opening inspector makes the list narrower and the rows above it taller.
 * Held until the user does something else or the event is closed, since the inspector's code may take long to load.
 * @returns a function to call with the row's event before the change
 */
export function useSteadyRow(list: RefObject<HTMLElement | null>, open: string | null): (eventId: string | null) => void {
  const held = useRef<{ id: string; top: number; scrolled: number } | null>(null);
  const topOf = useCallback(
    (id: string) => list.current?.querySelector(`[data-event="${CSS.escape(id)}"]`)?.getBoundingClientRect().top,
    [list],
  );
  const keep = useCallback(() => {
    const { current } = held;
    const top = current ? topOf(current.id) : undefined;
    if (!current || top === undefined) return;
    window.scrollBy({ top: top - current.top, behavior: "instant" });
    current.scrolled = window.scrollY;
  }, [topOf]);
  useLayoutEffect(() => {
    if (open !== null) return;
    keep();
    held.current = null;
  }, [open, keep]);
  useEffect(() => {
    const column = list.current?.parentElement;
    if (!column) return;
    const observer = new ResizeObserver(keep);
    const gone = new AbortController();
    const release = () => {
      held.current = null;
    };
    const releaseScrolled = () => {
      if (held.current && Math.abs(window.scrollY - held.current.scrolled) > 1) release();
    };
    // The column's parts: beside a short list it is as high as the window, whatever grows in it.
    for (const part of [column, ...column.children]) observer.observe(part);
    // Capturing: the previous row is released before the page acts on the click or key; a row that it opens is held after that.
    for (const action of ["click", "keydown"]) window.addEventListener(action, release, { capture: true, signal: gone.signal });
    window.addEventListener("scroll", releaseScrolled, { passive: true, signal: gone.signal });
    return () => {
      observer.disconnect();
      gone.abort();
    };
  }, [list, keep]);
  return useCallback(
    (id) => {
      const top = id === null ? undefined : topOf(id);
      held.current = id !== null && top !== undefined ? { id, top, scrolled: window.scrollY } : null;
    },
    [topOf],
  );
}

const WIDE = "(min-width: 1200px)";

const subscribe = (listener: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** True if an event fits next to the list; the server assumes it does. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  );
}

"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";

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
    observer.observe(column);
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

"use client";

import { type RefObject, useCallback, useEffect, useRef } from "react";

/** The event beside the list loads its code first, on a slow machine for seconds: the layout may change this long after the click. Milliseconds. */
const SETTLES_MS = 5000;

/**
 * Keeps a row where it is on the screen while the page around it is laid out again: an event that opens beside the list
 * makes the list narrower, so what is above it may take more lines.
 *
 * @returns to be called with the row's event before the change
 */
export function useSteadyRow(list: RefObject<HTMLElement | null>): (eventId: string | null) => void {
  const held = useRef<{ id: string; top: number; until: number } | null>(null);
  const find = useCallback((id: string) => list.current?.querySelector(`[data-event="${CSS.escape(id)}"]`), [list]);
  useEffect(() => {
    const column = list.current?.parentElement;
    if (!column) return;
    const observer = new ResizeObserver(() => {
      const { current } = held;
      if (!current || Date.now() > current.until) return;
      const row = find(current.id);
      if (row) window.scrollBy({ top: row.getBoundingClientRect().top - current.top, behavior: "instant" });
    });
    // The user's own scrolling has priority.
    const release = () => {
      held.current = null;
    };
    observer.observe(column);
    window.addEventListener("wheel", release, { passive: true });
    window.addEventListener("touchmove", release, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("wheel", release);
      window.removeEventListener("touchmove", release);
    };
  }, [list, find]);
  return useCallback(
    (id) => {
      const row = id === null ? null : find(id);
      held.current = id !== null && row ? { id, top: row.getBoundingClientRect().top, until: Date.now() + SETTLES_MS } : null;
    },
    [find],
  );
}

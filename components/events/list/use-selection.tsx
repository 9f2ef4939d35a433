"use client";

import { useRef, useState } from "react";
import { keyOf } from "#lib/client/queries/events/event-pages";
import type { EventFilter, EventSummary } from "#lib/contracts/events/events";

/** Tracks the selected rows. Shift-click selects the range from the last one; another filter clears the selection. */
export function useSelection(filter: EventFilter, events: EventSummary[]) {
  const [chosen, setChosen] = useState<{ filter: EventFilter; keys: ReadonlySet<string> }>({ filter, keys: new Set() });
  const last = useRef<string | null>(null);
  const keys = chosen.filter === filter ? chosen.keys : new Set<string>();
  const ticked = events.filter((event) => keys.has(keyOf(event)));

  function toggle(event: EventSummary, range: boolean) {
    const key = keyOf(event);
    const next = new Set(keys);
    const all = events.map(keyOf);
    const [a, b] = [all.indexOf(last.current ?? ""), all.indexOf(key)];
    const on = !keys.has(key);
    const touched = range && a >= 0 ? all.slice(Math.min(a, b), Math.max(a, b) + 1) : [key];
    for (const one of touched) {
      if (on) next.add(one);
      else next.delete(one);
    }
    last.current = key;
    setChosen({ filter, keys: next });
  }
  const set = (events: EventSummary[]) => setChosen({ filter, keys: new Set(events.map(keyOf)) });
  return { keys, ticked, toggle, set };
}

export type Selection = ReturnType<typeof useSelection>;

"use client";

import { type RefObject, useEffect } from "react";
import { useCommands } from "#components/shell/commands";
import { isTyping } from "#lib/client/typing";

const STEPS: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

type ListKeys = {
  list: RefObject<HTMLElement | null>;
  selected: string | null;
  select: (id: string | null) => void;
  /** Puts the focus into the open event. */
  enterInspector: () => void;
};

/**
 * j and k walk the rows from anywhere on the page; while an event is open
 * beside the list, it follows. Enter on the open row goes into it, Escape closes.
 * (Arrow keys between rows are the table's own.)
 */
export function useListKeys({ list, selected, select, enterInspector }: ListKeys): void {
  useCommands([
    { label: "Next and previous event", keys: "j k" },
    { label: "Open the event", keys: "Enter" },
    { label: "Close the event", keys: "Esc" },
  ]);
  useEffect(() => {
    const links = () => [...(list.current?.querySelectorAll<HTMLElement>("a[data-row-link]") ?? [])];
    const focused = () => links().find((link) => link === document.activeElement);
    const idOf = (link: HTMLElement | undefined) => link?.closest<HTMLElement>("[data-event]")?.dataset.event ?? null;

    function move(key: string, handled: boolean) {
      if (!handled) {
        const all = links();
        const from = all.findIndex((link) => link === document.activeElement || idOf(link) === selected);
        all[from === -1 ? 0 : Math.min(all.length - 1, Math.max(0, from + (STEPS[key] ?? 0)))]?.focus();
      }
      const id = idOf(focused());
      if (selected !== null && id !== null) select(id);
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
      // The table's own keys come first: what they handled has moved the focus already.
      if (event.key === "j" || event.key === "k") move(event.key, event.defaultPrevented);
      else if (event.key.startsWith("Arrow") && event.defaultPrevented && focused()) move(event.key, true);
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

"use client";

import { type RefObject, useEffect } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { isTyping } from "#lib/client/typing";

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

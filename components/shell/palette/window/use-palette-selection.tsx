"use client";

import { type KeyboardEvent as KeyEvent, useEffect, useRef, useState } from "react";

type Options = {
  text: string;
  searching: boolean;
  /** Changes with the results. */
  results: string;
  /** A result has exactly the typed name. */
  exact: boolean;
  /** Item that Enter must not run before the results have arrived. */
  fallback: string;
};

/**
 * Returns the selection props of cmdk's `Command`. When results arrive late, the first item is selected if only `fallback` matched before
 * or a name matches exactly; a choice by arrow key stays. Enter on `fallback` waits for the results.
 */
export function usePaletteSelection({ text, searching, results, exact, fallback }: Options) {
  const [selected, setSelected] = useState("");
  const root = useRef<HTMLDivElement>(null);
  // Texts for which an arrow key has chosen an item, and for which an Enter waits.
  const chosenFor = useRef<string | null>(null);
  const heldFor = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results move the first item.
  useEffect(() => {
    const timer = setTimeout(() => {
      // cmdk has sorted its items by now.
      const first = root.current?.querySelector<HTMLElement>("[cmdk-item]:not([aria-disabled=true])");
      const value = first?.getAttribute("data-value");
      if (!first || !value || chosenFor.current === text) return;
      const selectedNow = root.current?.querySelector("[cmdk-item][aria-selected=true]")?.getAttribute("data-value");
      if (selectedNow && selectedNow !== fallback && !exact) return;
      setSelected(value);
      first.scrollIntoView({ block: "nearest" });
      if (heldFor.current !== text || searching) return;
      heldFor.current = null;
      first.click();
    });
    return () => clearTimeout(timer);
  }, [results, searching]);
  function onKeyDown(event: KeyEvent) {
    if (["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) chosenFor.current = text;
    if (event.key !== "Enter" || !searching || selected !== fallback || chosenFor.current === text) return;
    event.preventDefault();
    heldFor.current = text;
  }
  return { ref: root, value: selected, onValueChange: setSelected, onKeyDown };
}

"use client";

import { type KeyboardEvent as KeyEvent, useEffect, useRef, useState } from "react";

type Options = {
  text: string;
  /** Results are still on their way. */
  searching: boolean;
  /** Changes with the results. */
  results: string;
  /** A result bears the whole name that was typed. */
  exact: boolean;
  /** The item that Enter must not run before the results are there. */
  fallback: string;
};

/**
 * The selected item. When results arrive later than the other items, the first
 * of all is selected if only the `fallback` matched until then, or if it bears
 * the very name; what the arrow keys have chosen stays. An Enter pressed before
 * on the `fallback` waits for them.
 *
 * @returns props of cmdk's `Command`
 */
export function usePaletteSelection({ text, searching, results, exact, fallback }: Options) {
  const [selected, setSelected] = useState("");
  const root = useRef<HTMLDivElement>(null);
  // The texts for which an arrow key has chosen an item, and for which an Enter waits.
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

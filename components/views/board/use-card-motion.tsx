"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

const MOTION_MS = 140;

type Place = { left: number; top: number; column: string };

/** Animates cards that changed column and fades in new ones. `board` contains elements with `data-card` (task ID) and `data-column`. */
export function useCardMotion(board: RefObject<HTMLElement | null>, cards: unknown): void {
  const places = useRef<Map<string, Place> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect measures what is drawn, whenever the cards change.
  useLayoutEffect(() => {
    if (!board.current) return;
    const before = places.current;
    const origin = board.current.getBoundingClientRect();
    const now = new Map<string, Place>();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const card of board.current.querySelectorAll<HTMLElement>("[data-card]")) {
      const { left, top } = card.getBoundingClientRect();
      const place = {
        left: left - origin.left + board.current.scrollLeft,
        top: top - origin.top,
        column: card.dataset.column ?? "",
      };
      const key = card.dataset.card ?? "";
      now.set(key, place);
      if (before && !still) move(card, before.get(key), place);
    }
    places.current = now;
  }, [board, cards]);
}

function move(card: HTMLElement, from: Place | undefined, to: Place) {
  const timing = { duration: MOTION_MS, easing: "cubic-bezier(0.2, 0, 0, 1)" };
  if (!from) card.animate([{ opacity: 0 }, { opacity: 1 }], timing);
  else if (from.column !== to.column)
    card.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }], timing);
}

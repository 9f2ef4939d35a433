"use client";

import { useSyncExternalStore } from "react";

/** From this width on there is room for an event beside the list. */
const WIDE = "(min-width: 1200px)";

const subscribe = (listener: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** Whether there is room beside the list; the server supposes there is. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  );
}

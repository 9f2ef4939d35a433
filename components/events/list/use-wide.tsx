"use client";

import { useSyncExternalStore } from "react";

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

"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** True once the page listens. A form pressed earlier would be sent by the browser itself. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

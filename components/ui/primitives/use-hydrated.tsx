import { useSyncExternalStore } from "react";

const never = () => () => {};

/** True once the page is hydrated. A form submitted earlier would be sent by the browser itself. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

"use client";

import { clockWords, exactWords } from "#components/ui/time-words";
import { useHydrated } from "#components/ui/use-hydrated";

/**
 * Words an exact time: in UTC as long as the page is the server's, which does
 * not know the reader's zone, and in the reader's zone from then on.
 */
export function useExactWords(): (at: number) => string {
  const hydrated = useHydrated();
  return (at) => exactWords(at, hydrated ? undefined : "UTC");
}

/** The same for a time to the minute, or to the second. */
export function useClockWords(seconds: boolean): (at: number) => string {
  const hydrated = useHydrated();
  return (at) => clockWords(at, seconds, hydrated ? undefined : "UTC");
}

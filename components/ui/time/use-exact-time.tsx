"use client";

import { clockWords, exactWords, timeWords } from "./time-format.tsx";
import { useTimeZone } from "./time-zone.tsx";

/** Formats an exact time in the zone that the reader chose. */
export function useExactWords(): (at: number) => string {
  const zone = useTimeZone();
  return (at) => exactWords(at, zone);
}

/** The same for a time to the minute, or to the second. */
export function useClockWords(seconds: boolean): (at: number) => string {
  const zone = useTimeZone();
  return (at) => clockWords(at, seconds, zone);
}

/** The same for a time of the day, with its day where `day` says so. */
export function useTimeWords(): (at: number, day: boolean) => string {
  const zone = useTimeZone();
  return (at, day) => timeWords(at, day, zone);
}

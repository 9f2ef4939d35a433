"use client";

import { clockWords, exactWords, timeWords } from "./time-format.tsx";
import { useTimeZone } from "./time-zone.tsx";

export function useExactWords(): (at: number) => string {
  const zone = useTimeZone();
  return (at) => exactWords(at, zone);
}

export function useClockWords(seconds: boolean): (at: number) => string {
  const zone = useTimeZone();
  return (at) => clockWords(at, seconds, zone);
}

export function useTimeWords(): (at: number, day: boolean) => string {
  const zone = useTimeZone();
  return (at, day) => timeWords(at, day, zone);
}

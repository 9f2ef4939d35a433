"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useHydrated } from "#components/ui/lists/use-hydrated";

/** Time zone in which times are shown: the browser's own, or UTC. */
export type TimeZoneChoice = "local" | "utc";

const Choice = createContext<TimeZoneChoice>("local");

/** Sets how every time below it is shown. */
export const TimeZoneProvider = ({ choice, children }: { choice: TimeZoneChoice; children: ReactNode }) => (
  <Choice.Provider value={choice}>{children}</Choice.Provider>
);

export const useTimeZoneChoice = (): TimeZoneChoice => useContext(Choice);

/**
 * The zone for Intl: "UTC" where the reader chose that, and until hydration, because the server does not know the
 * reader's own; undefined for the reader's own.
 */
export function useTimeZone(): "UTC" | undefined {
  const hydrated = useHydrated();
  return useTimeZoneChoice() === "utc" || !hydrated ? "UTC" : undefined;
}

/** Returns what a field for date and time holds, as a moment: in UTC where the reader chose that. */
export const momentOfField = (text: string, choice: TimeZoneChoice): Date => new Date(choice === "utc" ? `${text}Z` : text);

/** A moment as a field for date and time holds it. */
export function fieldOfMoment(iso: string, choice: TimeZoneChoice): string {
  const at = new Date(iso);
  const shift = choice === "utc" ? 0 : at.getTimezoneOffset() * 60_000;
  return new Date(at.getTime() - shift).toISOString().slice(0, 19);
}

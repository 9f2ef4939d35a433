"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useHydrated } from "#components/ui/lists/use-hydrated";

export type TimeZoneChoice = "local" | "utc";

const Choice = createContext<TimeZoneChoice>("local");

export const TimeZoneProvider = ({ choice, children }: { choice: TimeZoneChoice; children: ReactNode }) => (
  <Choice.Provider value={choice}>{children}</Choice.Provider>
);

export const useTimeZoneChoice = (): TimeZoneChoice => useContext(Choice);

/** Returns "UTC" if chosen or before hydration, because the server doesn't know the reader's own; undefined is the reader's own. */
export function useTimeZone(): "UTC" | undefined {
  const hydrated = useHydrated();
  return useTimeZoneChoice() === "utc" || !hydrated ? "UTC" : undefined;
}

/** Returns the moment of a date-and-time field: read as UTC if the reader chose that. */
export const momentOfField = (text: string, choice: TimeZoneChoice): Date => new Date(choice === "utc" ? `${text}Z` : text);

export function fieldOfMoment(iso: string, choice: TimeZoneChoice): string {
  const at = new Date(iso);
  const shift = choice === "utc" ? 0 : at.getTimezoneOffset() * 60_000;
  return new Date(at.getTime() - shift).toISOString().slice(0, 19);
}

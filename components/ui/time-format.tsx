"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useHydrated } from "./primitives/use-hydrated.tsx";

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

/** Returns a moment in ISO form and its zone: `2026-11-21 14:03`, with seconds if it has any, and `UTC+01:00`. */
export function isoParts(at: number, timeZone?: string): { text: string; zone: string } {
  const shift = timeZone === "UTC" ? 0 : -new Date(at).getTimezoneOffset();
  const text = new Date(at + shift * 60_000).toISOString();
  const hours = new Date(Math.abs(shift) * 60_000).toISOString().slice(11, 16);
  return {
    text: `${text.slice(0, 10)} ${text.slice(11, 19).replace(/:00$/, "")}`,
    zone: shift === 0 ? "UTC" : `UTC${shift < 0 ? "-" : "+"}${hours}`,
  };
}

/** Returns when a day began or begins in the reader's zone. @param days before today; -1 is tomorrow */
export function dayStart(days: number, choice: TimeZoneChoice): string {
  const day = new Date();
  if (choice === "utc") day.setUTCHours(-24 * days, 0, 0, 0);
  else {
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - days);
  }
  return day.toISOString().replace(".000", "");
}

const STEPS: readonly [number, number, string][] = [
  [60_000, 1000, "s"],
  [3_600_000, 60_000, "min"],
  [86_400_000, 3_600_000, "h"],
  [30 * 86_400_000, 86_400_000, "d"],
];

/** Formats a duration in milliseconds as whole units that have passed: `320 ms`, `4 s`, `12 min`, `3 h`, `5 d`. */
export const durationWords = (ms: number): string => inUnits(ms, Math.floor);

/** Formats a remaining time in milliseconds, rounded: a limit of 7 days set just now ends in `7 d`, not in `6 d`. */
export const untilWords = (ms: number): string => inUnits(ms, Math.round);

function inUnits(ms: number, whole: (units: number) => number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  for (const [below, unit, word] of STEPS) if (ms < below) return `${whole(ms / unit)} ${word}`;
  return `${whole(ms / 86_400_000)} d`;
}

/** Formats a time in milliseconds: `just now`, `12 min ago`, `in 3 h`; beyond 30 days its date. */
export function relativeWords(at: number, now: number): string {
  const age = now - at;
  if (Math.abs(age) < 2000) return "just now";
  if (Math.abs(age) >= 30 * 86_400_000) return new Date(at).toISOString().slice(0, 10);
  return age > 0 ? `${durationWords(age)} ago` : `in ${untilWords(-age)}`;
}

/** Formats a time that lies ahead, such as a next try. Once it has come it is `now`: it is carried out a little later, by another clock. */
export const aheadWords = (at: number, now: number): string => (at - now < 2000 ? "now" : relativeWords(at, now));

/** Formats the ends of a chart: `21 Nov, 14:03 GMT+1`. */
export function clockWords(at: number, seconds: boolean, timeZone?: string): string {
  const thisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: thisYear ? undefined : "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: seconds ? "2-digit" : undefined,
    timeZoneName: "short",
    timeZone,
  }).format(at);
}

/** Formats the time of day, with or without the day: `10:02`, `21 Nov, 10:02`. */
function timeWords(at: number, day: boolean, timeZone?: string): string {
  const date = day ? ({ day: "numeric", month: "short" } as const) : {};
  return new Intl.DateTimeFormat("en-GB", { ...date, hour: "2-digit", minute: "2-digit", timeZone }).format(at);
}

/** Formats with zone, the reader's own by default, and milliseconds if it has any: `21 Nov 2026, 14:03:07.120 GMT+1`. */
export function exactWords(at: number, timeZone?: string): string {
  const digits = at % 1000 === 0 ? undefined : 3;
  const key = `${timeZone} ${digits}`;
  const format = formats.get(key) ?? exactFormat(timeZone, digits);
  formats.set(key, format);
  return format.format(at);
}

/** Cached, because making one costs as much as a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

const exactFormat = (timeZone: string | undefined, fractionalSecondDigits: 3 | undefined) =>
  new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits,
    timeZoneName: "short",
    timeZone,
  });

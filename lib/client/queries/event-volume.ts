import { keepPreviousData } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { reading } from "./api.ts";
import { KEYS } from "./keys.ts";

const FRESH_MS = 15_000;

export const volumeQuery = (filter: EventFilter) => ({
  ...reading([...KEYS.eventVolume, filter], "GET /api/v1/events/volume", { query: writeFilter(EVENT_FILTERS, filter) }),
  placeholderData: keepPreviousData,
  staleTime: FRESH_MS,
  refetchInterval: FRESH_MS,
});

/** Returns the total with its precision: "No events", "12,431 events", "about 12,400 events", "10,000+ events". */
export function totalWords({ total, precision }: Pick<EventVolume, "total" | "precision">): string {
  if (precision === "unknown") return "Too many to count in time";
  if (precision === "at_least") return `${formatNumber(total)}+ events`;
  if (precision === "estimate") return `about ${formatNumber(roundTo3(total))} events`;
  return total === 0 ? "No events" : countWords(total, "event");
}

function roundTo3(n: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 2);
  return Math.round(n / unit) * unit;
}

/** Returns the period from one bar to another, both included. */
export function periodOf(volume: EventVolume, first: number, last: number): { from: string; to: string } | null {
  const [a, b] = first <= last ? [first, last] : [last, first];
  const [start, end] = [volume.bars[a], volume.bars[b]];
  if (!start || !end) return null;
  return { from: start.at, to: new Date(Date.parse(end.at) + volume.stepSeconds * 1000).toISOString() };
}

const ANNOTATIONS_FRESH_MS = 60_000;

/** Returns events of the installation that may explain a change, over `bars` bars that begin with `first` and `second` (ISO 8601). */
export function annotationsQuery(first: string | undefined, second: string | undefined, bars: number) {
  const begin = Date.parse(first ?? "");
  const from = new Date(begin || 0).toISOString();
  const to = new Date(begin + (Date.parse(second ?? "") - begin) * bars || 0).toISOString();
  return {
    ...reading([...KEYS.eventVolume, "annotations", from, to], "GET /api/v1/events/annotations", { query: { from, to } }),
    enabled: first !== undefined && second !== undefined,
    placeholderData: keepPreviousData,
    staleTime: ANNOTATIONS_FRESH_MS,
    refetchInterval: ANNOTATIONS_FRESH_MS,
  };
}

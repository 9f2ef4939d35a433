import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";

const eventsContract = contract(() => import("#lib/contracts/events/events"));

const FRESH_MS = 15_000;

export const volumeQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: [...KEYS.eventVolume, filter] as const,
    queryFn: ({ signal }) =>
      apiFetch(eventsContract("eventVolume"), `/api/v1/events/volume?${writeFilter(EVENT_FILTERS, filter)}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });

/** Returns the total with its precision: "12,431 events", "about 12,400 events", "10,000+ events". */
export function totalWords({ total, precision }: Pick<EventVolume, "total" | "precision">): string {
  if (precision === "unknown") return "Too many to count in time";
  if (precision === "at_least") return `${formatNumber(total)}+ events`;
  if (precision === "estimate") return `about ${formatNumber(roundTo3(total))} events`;
  return countWords(total, "event");
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

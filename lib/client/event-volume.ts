import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { EventFilter, EventVolume } from "#lib/contracts/events";
import { writeFilter } from "./event-filter.ts";
import { fetchLater } from "./fetch-later.ts";

const eventVolume = () => import("#lib/contracts/events").then((module) => module.eventVolume);

const FRESH_MS = 15_000;

/** How many events match, over time. Counted again every quarter of a minute, not with every event. */
export const volumeQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: ["event-volume", filter] as const,
    queryFn: ({ signal }) => fetchLater(eventVolume, `/api/v1/events/volume?${writeFilter(filter)}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });

const number = new Intl.NumberFormat("en-GB");

/** The total in words that say how exact it is: "12,431 events", "about 12,400 events", "10,000+ events". */
export function totalWords({ total, precision }: Pick<EventVolume, "total" | "precision">): string {
  if (precision === "unknown") return "Too many to count in time";
  if (precision === "at_least") return `${number.format(total)}+ events`;
  if (precision === "estimate") return `about ${number.format(roundTo3(total))} events`;
  return total === 1 ? "1 event" : `${number.format(total)} events`;
}

/** An estimate has three digits that mean something. */
function roundTo3(n: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 2);
  return Math.round(n / unit) * unit;
}

/** The period from one bar to another, both included. */
export function periodOf(volume: EventVolume, first: number, last: number): { from: string; to: string } | null {
  const [a, b] = first <= last ? [first, last] : [last, first];
  const [start, end] = [volume.bars[a], volume.bars[b]];
  if (!start || !end) return null;
  return { from: start.at, to: new Date(Date.parse(end.at) + volume.stepSeconds * 1000).toISOString() };
}

import { formatNumber } from "#lib/contracts/counts/format-count";
import type { EventSummary } from "#lib/contracts/events/events";
import type { ViewMoment } from "#lib/contracts/views";

/** Returns the slider position of the last moment not after `asOf`. The right end, one past the last moment, is the latest state. */
export function momentIndex(moments: ViewMoment[], asOf: string | null): number {
  const at = asOf === null ? Number.NaN : Date.parse(asOf);
  if (Number.isNaN(at)) return moments.length;
  return Math.max(
    0,
    moments.findLastIndex((moment) => Date.parse(moment.at) <= at),
  );
}

export function momentWords({ titles, events }: ViewMoment): string {
  const [first = "An event"] = titles;
  return events === 1 ? first : `${first} and ${formatNumber(events - 1)} more`;
}

/** Orders by the platform's time, newest first: events may have arrived in another order. */
export function byPlatformTime(events: EventSummary[]): EventSummary[] {
  return [...events].sort((a, b) => b.created.localeCompare(a.created) || b.receivedAt.localeCompare(a.receivedAt));
}

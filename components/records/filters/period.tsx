import { isoParts } from "#components/ui/time-format";
import type { EventPeriod } from "#lib/contracts/events/events";

export type Span = { from?: string | undefined; to?: string | undefined };
/** Range that ends now and moves on (`period`), or one between two times (ISO 8601). */
export type Period = Span & { period?: EventPeriod | undefined };
/** Filters of a list that has times of occurrence, too. */
export type Occurred = { occurredFrom?: string | undefined; occurredTo?: string | undefined };

/** Formats a span in ISO form with its zone; a whole day as its date: `2026-11-21 UTC+01:00`. Null for an open one. */
export function spanWords({ from, to }: Span, timeZone?: string): string | null {
  const [start, end] = [from, to].map((moment) => (moment === undefined ? null : isoParts(Date.parse(moment), timeZone)));
  if (!start) return end ? `before ${end.text} ${end.zone}` : null;
  if (!end) return `from ${start.text} ${start.zone}`;
  const hours = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 3_600_000;
  // A day on which the clocks change has 23 or 25.
  if (start.text.endsWith(" 00:00") && end.text.endsWith(" 00:00") && hours > 22 && hours < 26)
    return `${start.text.slice(0, 10)} ${start.zone}`;
  return `${start.text}${start.zone === end.zone ? "" : ` ${start.zone}`} to ${end.text} ${end.zone}`;
}

/** Returns what the field of a list's time range says, and what removes that; null for any time. Beside a time of receipt, one of occurrence has a chip. */
export function timeWords(filter: Period & Occurred, timeZone?: string): { text: string; without: Period & Occurred } | null {
  const received = filter.period ? PERIOD_WORDS[filter.period] : spanWords(filter, timeZone);
  if (received !== null) return { text: received, without: { from: undefined, to: undefined, period: undefined } };
  const occurred = occurredWords(filter, timeZone);
  return occurred === null ? null : { text: occurred, without: { occurredFrom: undefined, occurredTo: undefined } };
}

export function occurredWords({ occurredFrom: from, occurredTo: to }: Occurred, timeZone?: string): string | null {
  const words = spanWords({ from, to }, timeZone);
  return words === null ? null : `Occurred ${words}`;
}

export const PERIOD_WORDS: Record<EventPeriod, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

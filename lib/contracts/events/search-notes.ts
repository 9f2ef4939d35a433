import { countWords, formatNumber } from "#lib/contracts/format-count";

// Apart from the other counts: every page's first load has those.

export function inPartWords({ count, precision }: { count: number; precision: "exact" | "at_least" | "unknown" }): string | null {
  if (precision === "exact" && count === 0) return null;
  const events =
    precision === "unknown" ? "some events" : precision === "at_least" ? `${formatNumber(count)}+ events` : countWords(count, "event");
  return `In this time range the payloads of ${events} are searched in part: short values first, then timestamps, links and long text, up to 64 KB.`;
}

/** Larger counts are estimates, of which two digits are worth showing. */
const COUNTED_EXACTLY = 10_000;

export function backToWords({ eventsWaiting }: { eventsWaiting: number }, time: string): string {
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, eventsWaiting))) - 1);
  const waiting =
    eventsWaiting > COUNTED_EXACTLY
      ? `about ${countWords(Math.round(eventsWaiting / digits) * digits, "older event")}`
      : countWords(eventsWaiting, "older event");
  return `Searched back to ${time}. The search index is being rebuilt, newest events first: ${waiting} to go.`;
}

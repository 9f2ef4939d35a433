const format = new Intl.NumberFormat("en-GB");

/** Number up to which most counts are made; one above it means that there are more. */
export const COUNT_CAP = 1000;

/** A number with thousands separators: `1,204`. */
export const formatNumber = (value: number): string => format.format(value);

/** Returns the noun as it stands beside a count: `event` for 1, else `events`. */
export const nounFor = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** Returns an amount in words: `1 event`, `2,000 events`. */
export const countWords = (count: number, one: string, many?: string): string => `${formatNumber(count)} ${nounFor(count, one, many)}`;

/** Returns a number that was counted up to a cap, for figures: `1,000`, `1,000+`. */
export const cappedNumber = (count: number, cap = COUNT_CAP): string => (count > cap ? `${formatNumber(cap)}+` : formatNumber(count));

/** Returns a number that was counted up to a cap, for sentences: `1,000`, `more than 1,000`. */
export const upTo = (count: number, cap = COUNT_CAP): string => (count > cap ? `more than ${formatNumber(cap)}` : formatNumber(count));

/** Returns a capped amount in words: `1 event`, `more than 1,000 events`. */
export const cappedWords = (count: number, one: string, cap?: number): string => `${upTo(count, cap)} ${nounFor(count, one)}`;

/** `searchedInPart` of a search in a sentence; null where all is searched. */
export function inPartWords({ count, precision }: { count: number; precision: "exact" | "at_least" | "unknown" }): string | null {
  if (precision === "exact" && count === 0) return null;
  const events =
    precision === "unknown" ? "some events" : precision === "at_least" ? `${formatNumber(count)}+ events` : countWords(count, "event");
  return `In this time range the payloads of ${events} are searched in part: short values first, then timestamps, links and long text, up to 64 KB.`;
}

/** Counts above this are estimates of which two digits are worth telling. */
const COUNTED_EXACTLY = 10_000;

/**
 * `searchedBackTo` of a search in a sentence.
 *
 * @param time its `at` as it is shown to the reader
 */
export function backToWords({ eventsWaiting }: { eventsWaiting: number }, time: string): string {
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, eventsWaiting))) - 1);
  const waiting =
    eventsWaiting > COUNTED_EXACTLY
      ? `about ${countWords(Math.round(eventsWaiting / digits) * digits, "older event")}`
      : countWords(eventsWaiting, "older event");
  return `Searched back to ${time}. The search index is being rebuilt, newest events first: ${waiting} to go.`;
}

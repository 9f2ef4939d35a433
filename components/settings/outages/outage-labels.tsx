import { durationWords } from "#components/ui/time/time-format";
import { countWords, formatNumber, nounFor } from "#lib/contracts/counts/format-count";
import type { Outage, OutageSource } from "#lib/contracts/outages";

const requests = (count: number) => countWords(count, "request was", "requests were");

export function answeredWords({ unavailable, limited, awayMs }: Pick<Outage, "unavailable" | "limited"> & { awayMs?: number }): string {
  const sentences = [
    unavailable > 0 ? `${requests(unavailable)} answered 503 and not stored.` : "",
    limited > 0 ? `${requests(limited)} answered 429: too many earlier requests had an invalid signature.` : "",
    awayMs ? `Signalbox was not running for ${durationWords(awayMs)}.` : "",
  ];
  return sentences.filter(Boolean).join(" ");
}

/** `until`: when the sender gives up, in words. */
export function retryWords({ sender, retries, retriesUntil, retryHours, arrivedSince }: OutageSource, until: string, now: number): string {
  const isOver = retriesUntil !== null && Date.parse(retriesUntil) <= now;
  const end = retriesUntil === null || retryHours === 0 ? "" : isOver ? ` It gave up at ${until}.` : ` It may still send until ${until}.`;
  const since =
    arrivedSince === null
      ? ""
      : arrivedSince === 0
        ? " No events from that time have arrived since."
        : ` ${arrivedSince > 1000 ? "More than 1,000" : formatNumber(arrivedSince)} ${nounFor(arrivedSince, "event")} from that time ${arrivedSince === 1 ? "has" : "have"} arrived since.`;
  return `${sender}: ${retries}${end}${since}`;
}

import { isSourceName } from "#lib/contracts/sources/source-name";
import type { Receiver } from "./receiver.ts";

/** Places for names that may belong to no source, so that made-up ones leave room for the others. */
const MAX_UNKNOWN = 1000;

/** Counts a 503 or 429 answer by source and minute. A certificate that is fetched first is no outage: the sender repeats the message. */
export function noteOutage({ outages, sources }: Pick<Receiver, "outages" | "sources">, source: string, outcome: string, status: number) {
  if ((status !== 503 && status !== 429) || outcome === "certificate_not_fetched") return;
  const counts = { unavailable: status === 503 ? 1 : 0, limited: status === 429 ? 1 : 0 };
  if (sources.isListed(source)) outages.note(source, counts);
  // The names are not loaded yet: whether it is a source's is decided when it is written.
  else if (status === 503 && isSourceName(source)) outages.note(source, counts, MAX_UNKNOWN);
}

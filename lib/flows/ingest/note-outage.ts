import { isSourceName } from "#lib/contracts/sources/source-name";
import type { Receiver } from "./receiver.ts";

/** Names that no source is known to have may take so few places, so that made-up ones leave no room for nobody. */
const MAX_UNKNOWN = 1000;

/**
 * Counts a request that was answered 503 or 429 by its source and minute. A certificate that is fetched first is no
 * outage: its sender sends each message again.
 */
export function noteOutage({ outages, sources }: Pick<Receiver, "outages" | "sources">, source: string, outcome: string, status: number) {
  if ((status !== 503 && status !== 429) || outcome === "certificate_not_fetched") return;
  const counts = { unavailable: status === 503 ? 1 : 0, limited: status === 429 ? 1 : 0 };
  if (sources.isListed(source)) outages.note(source, counts);
  // Nobody has read the names yet: whether it is a source's is known when it is written.
  else if (status === 503 && isSourceName(source)) outages.note(source, counts, MAX_UNKNOWN);
}

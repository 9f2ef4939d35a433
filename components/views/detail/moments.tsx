import type { EventSummary } from "#lib/contracts/events";

/** The platform's times of these events, each once, oldest first (ISO 8601). */
export function momentsOf(events: EventSummary[]): string[] {
  return [...new Set(events.map(({ created }) => created))].sort();
}

/** Which moment a slider stands on for `asOf`: the last that is not after it, the newest for now. */
export function momentIndex(moments: string[], asOf: string | null): number {
  const last = moments.length - 1;
  const at = asOf === null ? Number.NaN : Date.parse(asOf);
  if (Number.isNaN(at)) return last;
  return Math.max(
    0,
    moments.findLastIndex((moment) => Date.parse(moment) <= at),
  );
}

/** Events in the platform's own order, newest first: they may have come in another. */
export function byPlatformTime(events: EventSummary[]): EventSummary[] {
  return [...events].sort((a, b) => b.created.localeCompare(a.created) || b.receivedAt.localeCompare(a.receivedAt));
}

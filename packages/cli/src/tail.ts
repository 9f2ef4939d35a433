import { printable } from "../../../lib/contracts/api/plain-text.ts";
import { EVENT_FILTERS, type EventFilter } from "../../../lib/contracts/events/event-filters.ts";
import type { EventSummary } from "../../../lib/contracts/events/events.ts";
import type { Session } from "./commands/session.ts";
import { followStream } from "./follow-stream.ts";
import { localTime, parseDuration } from "./time.ts";

export async function tailEvents({ output, api: open }: Session, filter: EventFilter, maxOffline: string | undefined): Promise<void> {
  const maxOfflineMs = maxOffline === undefined ? Number.POSITIVE_INFINITY : parseDuration(maxOffline);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const frames = followStream(open(), "/api/v1/feed", { query: {}, cursor: null, signal: stop.signal, maxOfflineMs, output });
  for await (const frame of frames) {
    if (frame.event === "ready" && frame.first) output.note("Waiting for events. Press Ctrl-C to stop.");
    if (frame.event !== "appended") continue;
    const event = frame.data as EventSummary;
    if (!matches(filter, event)) continue;
    output.item(
      event,
      (paint) => `${paint("dim", localTime(event.receivedAt))}  ${printable(event.type.padEnd(30))}  ${printable(event.id)}`,
      event.id,
    );
  }
}

function matches({ type, source, resource }: EventFilter, event: EventSummary): boolean {
  if (type && EVENT_FILTERS.type.matches(type, event) !== "yes") return false;
  if (source && EVENT_FILTERS.source.matches(source, event) !== "yes") return false;
  return !resource || EVENT_FILTERS.resource.matches(resource, event) === "yes";
}

import { eventSeconds } from "#lib/platform/event-time";
import { readStored } from "#lib/platform/reading/read-event";
import { readingOf, type SourceReadings } from "#lib/platform/reading/source-reading";
import { type Plan, planEvent } from "#lib/views/fold/plan";

/** An event of the log with its bytes. */
export type Stored = { sourceId: string; eventId: string; type: string; created: number; receivedAt: Date; body: Buffer };

/** What today's logic makes of an event's raw bytes. */
export type DeliveryPlan = {
  data: Record<string, unknown>;
  plan: Plan | { outcome: "cannot_apply"; code: "not_readable"; text: string };
};

/**
 * Reads the raw bytes and plans what they do to the views: nothing, where the source doesn't speak the platform's
 * language, whatever its types are called. Pure.
 *
 * @param readings of the sources as they are now, whenever the event was received (docs/decisions/0061)
 */
export function planDelivery({ sourceId, eventId, type, created, receivedAt, body }: Stored, readings: SourceReadings): DeliveryPlan {
  const reading = readingOf(readings, sourceId);
  const read = readStored(body, reading);
  if (read.outcome !== "data") return { data: {}, plan: { outcome: "cannot_apply", code: "not_readable", text: read.detail } };
  const { data } = read;
  if (reading.records === "none") return { data, plan: { outcome: "touches", touches: [], refs: [] } };
  return { data, plan: planEvent({ eventId, type, created: eventSeconds(created, receivedAt), data }, reading.mapping) };
}

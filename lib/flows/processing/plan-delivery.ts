import { eventSeconds } from "#lib/platform/event-time";
import { readStored } from "#lib/platform/reading/read-event";
import { readingOf, type SourceReading, type SourceReadings } from "#lib/platform/reading/source-reading";
import { type FoldableEvent, type Plan, planEvent } from "#lib/views/fold/plan";
import { planGeneric } from "#lib/views/fold/plan-generic";

/** An event of the log with its bytes. */
export type Stored = { sourceId: string; eventId: string; type: string; created: number; receivedAt: Date; body: Buffer };

/** Result of reading an event's raw bytes with the present code. */
export type DeliveryPlan = {
  data: Record<string, unknown>;
  plan: Plan | { outcome: "cannot_apply"; code: "not_readable"; text: string };
};

/**
 * Reads the raw bytes and plans what they do to the views: nothing of the platform's, where the source doesn't speak
 * its language, whatever its types are called. Pure.
 *
 * @param readings of the sources as they are now, whenever the event was received (docs/decisions/0061)
 */
export function planDelivery({ sourceId, eventId, type, created, receivedAt, body }: Stored, readings: SourceReadings): DeliveryPlan {
  const reading = readingOf(readings, sourceId);
  const read = readStored(body, reading);
  if (read.outcome !== "data") return { data: {}, plan: { outcome: "cannot_apply", code: "not_readable", text: read.detail } };
  const { data } = read;
  return { data, plan: planFor({ eventId, type, created: eventSeconds(created, receivedAt), data }, reading) };
}

/** Returns what an event whose data were read does to the views, by what its source's events become. */
export function planFor(event: FoldableEvent, { records, record, mapping }: SourceReading): Plan {
  if (records === "platform") return planEvent(event, mapping);
  return record === null ? { outcome: "touches", touches: [], refs: [] } : planGeneric(event, record);
}

import { eventSeconds } from "#lib/platform/event-time";
import { readingOf, readStored, type SourceReading, type SourceReadings } from "#lib/platform/read-event";
import { type FoldableEvent, type Plan, planEvent, planGeneric } from "#lib/views/fold/plan";

export type Stored = { sourceId: string; eventId: string; type: string; created: number; receivedAt: Date; body: Buffer };

export type DeliveryPlan = {
  data: Record<string, unknown>;
  plan: Plan | { outcome: "cannot_apply"; code: "not_readable"; text: string };
};

/** Plans an event from its raw bytes, with its source's reading of now, whenever it was received (docs/decisions/0061). Pure. */
export function planDelivery({ sourceId, eventId, type, created, receivedAt, body }: Stored, readings: SourceReadings): DeliveryPlan {
  const reading = readingOf(readings, sourceId);
  const read = readStored(body, reading);
  if (read.outcome !== "data") return { data: {}, plan: { outcome: "cannot_apply", code: "not_readable", text: read.detail } };
  const { data } = read;
  return { data, plan: planFor({ eventId, type, created: eventSeconds(created, receivedAt), data }, reading) };
}

export function planFor(event: FoldableEvent, { records, record, mapping }: SourceReading): Plan {
  if (records === "platform") return planEvent(event, mapping);
  return record === null ? { outcome: "touches", touches: [], refs: [] } : planGeneric(event, record);
}

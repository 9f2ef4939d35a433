import { readEnvelope } from "#lib/platform/envelope";
import { eventSeconds } from "#lib/platform/event-time";
import { type FieldMappings, mappingOf } from "#lib/platform/field-names";
import { type Plan, planEvent } from "#lib/views/fold/plan";

/** An event of the log with its bytes. */
export type Stored = { sourceId: string; eventId: string; type: string; created: number; receivedAt: Date; body: Buffer };

/** What today's logic makes of an event's raw bytes. */
export type DeliveryPlan = {
  data: Record<string, unknown>;
  plan: Plan | { outcome: "cannot_apply"; code: "not_readable"; text: string };
};

/**
 * Reads the raw bytes and plans what they do to the views. Pure.
 *
 * @param mappings of the sources as they are now, whenever the event was received (docs/decisions/0061)
 */
export function planDelivery({ sourceId, eventId, type, created, receivedAt, body }: Stored, mappings: FieldMappings): DeliveryPlan {
  const mapping = mappingOf(mappings, sourceId);
  const reading = readEnvelope(body, mapping);
  if (reading.outcome !== "envelope") return { data: {}, plan: { outcome: "cannot_apply", code: "not_readable", text: reading.detail } };
  const { data } = reading.envelope;
  return { data, plan: planEvent({ eventId, type, created: eventSeconds(created, receivedAt), data }, mapping) };
}

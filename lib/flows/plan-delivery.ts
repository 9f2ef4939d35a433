import { readEnvelope } from "#lib/platform/envelope";
import { type Plan, planEvent } from "#lib/views/plan";

/** An event of the log with its bytes. */
type Stored = { eventId: string; type: string; created: number; body: Buffer };

/** What today's logic makes of an event's raw bytes. */
export type DeliveryPlan = {
  data: Record<string, unknown>;
  plan: Plan | { outcome: "cannot_apply"; code: "not_readable"; text: string };
};

/** Reads the raw bytes and plans what they do to the views. Pure. */
export function planDelivery({ eventId, type, created, body }: Stored): DeliveryPlan {
  const reading = readEnvelope(body);
  if (reading.outcome !== "envelope") return { data: {}, plan: { outcome: "cannot_apply", code: "not_readable", text: reading.detail } };
  const { data } = reading.envelope;
  return { data, plan: planEvent({ eventId, type, created, data }) };
}

import * as z from "zod/mini";
import { filteredPageOf, idText, momentOrDay, pageQuery, repeated, text } from "../api/parameters.ts";
import { DELIVERY_STATES } from "./delivery-states.ts";

/** `proxy_failed` is not charged to the target. `refused`: the IP address is not allowed. `filter_too_costly`: no attempt was made. */
export const attemptOutcome = z.enum([
  "delivered",
  "refused",
  "unknown_host",
  "connection_refused",
  "connect_timeout",
  "unreachable",
  "tls_expired",
  "tls_untrusted",
  "tls_wrong_host",
  "tls_failed",
  "timeout",
  "connection_reset",
  "malformed_answer",
  "redirected",
  "gone",
  "rejected",
  "rate_limited",
  "server_error",
  "proxy_failed",
  "filter_too_costly",
]);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;

/** held: the destination is paused or suspended. skipped: passed over on resume. cancelled: the destination or the event was deleted. */
export const deliveryState = z.enum(DELIVERY_STATES);
export type DeliveryState = z.infer<typeof deliveryState>;

export const delivery = z.object({
  id: z.string(),
  destination: z.object({ id: z.string(), name: z.string() }),
  event: z.object({ id: z.string(), type: z.string(), title: z.string(), receivedAt: z.string() }),
  /** The order is kept for each subject, for example `document:doc_1`. */
  subject: z.string(),
  subjectName: z.optional(z.string()),
  state: deliveryState,
  attempts: z.int(),
  createdAt: z.string(),
  nextAttemptAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  last: z.nullable(z.object({ outcome: z.string(), detail: z.string(), fix: z.nullable(z.string()) })),
});
export type Delivery = z.infer<typeof delivery>;

const bytes = z.object({
  text: z.nullable(z.string()),
  base64: z.string(),
});

export const deliveryAttempt = z.object({
  id: z.string(),
  number: z.int(),
  at: z.string(),
  outcome: attemptOutcome,
  detail: z.string(),
  fix: z.string(),
  /** Made to learn whether a suspended destination works again. */
  probe: z.boolean(),
  request: z.object({ method: z.literal("POST"), url: z.string(), headers: z.record(z.string(), z.string()) }),
  /** Null if none came. Holds the body's first 16 kB. */
  response: z.nullable(
    z.object({ status: z.int(), headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])), body: bytes }),
  ),
  remoteAddress: z.nullable(z.string()),
  /** Milliseconds. Null if the attempt did not get that far, or used an open connection. */
  durations: z.object({
    dns: z.nullable(z.int()),
    connect: z.nullable(z.int()),
    tls: z.nullable(z.int()),
    firstByte: z.nullable(z.int()),
    total: z.int(),
  }),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

export const deliveryFilter = z.object({
  destination: z.optional(idText),
  event: z.optional(idText),
  state: repeated(deliveryState),
  type: repeated(text(200)),
  outcome: repeated(attemptOutcome),
  /** When the event was received. */
  from: z.optional(momentOrDay),
  to: z.optional(momentOrDay),
});
export type DeliveryFilter = z.infer<typeof deliveryFilter>;
export const deliveryQuery = z.extend(deliveryFilter, pageQuery.shape);
export const deliveryPage = filteredPageOf(delivery);

export const deliveryDetail = z.extend(delivery, {
  attemptLog: z.array(deliveryAttempt),
  body: z.nullable(bytes),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

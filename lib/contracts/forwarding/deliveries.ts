import * as z from "zod/mini";
import { pageOf, pageQuery, repeated } from "../api/paging.ts";
import { idText, momentOrDay, text } from "../api/parameters.ts";

/** Days after the workspace's retention for which an unsent delivery keeps its event; then it is given up. */
export const HELD_DAYS = 30;

/**
 * Outcome of an attempt. `delivered`: a 2xx. `proxy_failed` is not charged to
 * the target; `refused`: Signalbox may not call the target's address;
 * `filter_too_costly`: no attempt was made, since the filter was ended.
 */
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

/**
 * waiting: not tried yet. retrying: an attempt failed, another is due. held: its
 * destination is paused or suspended. exhausted: the last attempt failed.
 * skipped: passed over when the destination was resumed. cancelled: the
 * destination or the event was deleted.
 */
export const deliveryState = z.enum(["waiting", "retrying", "held", "delivered", "exhausted", "skipped", "cancelled"]);
export type DeliveryState = z.infer<typeof deliveryState>;

/** The states of a delivery that is not finished. */
export const OPEN_DELIVERY_STATES = ["waiting", "retrying", "held"] as const satisfies DeliveryState[];

/** True if a delivery in this state is not finished. */
export const isOpenDelivery = (state: DeliveryState): boolean => OPEN_DELIVERY_STATES.some((open) => open === state);

/** Delivery of one event to one destination. Times are ISO 8601 UTC. */
export const delivery = z.object({
  id: z.string(),
  destination: z.object({ id: z.string(), name: z.string() }),
  /** `title` is the type in words. */
  event: z.object({ id: z.string(), type: z.string(), title: z.string(), receivedAt: z.string() }),
  /** Subject that the order is kept for, for example `document:doc_1`. */
  subject: z.string(),
  /** The subject's name; absent where no event has named it. */
  subjectName: z.optional(z.string()),
  state: deliveryState,
  /** All attempts, also those before it was sent again. */
  attempts: z.int(),
  createdAt: z.string(),
  /** When it is tried next; null when it is finished or held. */
  nextAttemptAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Outcome of the last attempt; null before the first. */
  last: z.nullable(z.object({ outcome: z.string(), detail: z.string(), fix: z.nullable(z.string()) })),
});
export type Delivery = z.infer<typeof delivery>;

const bytes = z.object({
  /** As text where it is UTF-8, else null. */
  text: z.nullable(z.string()),
  base64: z.string(),
});

/** One request of a delivery, and what came back. */
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
  /** Null when none came. The body's first 16 kB. */
  response: z.nullable(
    z.object({ status: z.int(), headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])), body: bytes }),
  ),
  remoteAddress: z.nullable(z.string()),
  /** Milliseconds. Null where the attempt did not come to it, or used a connection that was open. */
  durations: z.object({
    dns: z.nullable(z.int()),
    connect: z.nullable(z.int()),
    tls: z.nullable(z.int()),
    firstByte: z.nullable(z.int()),
    total: z.int(),
  }),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

/** `GET /api/v1/deliveries`: the event that was received last comes first. */
export const deliveryFilter = z.object({
  destination: z.optional(idText),
  event: z.optional(idText),
  state: repeated(deliveryState),
  type: repeated(text(200)),
  /** Of the last attempt. */
  outcome: repeated(attemptOutcome),
  /** When the event was received: from then on, and before then. */
  from: z.optional(momentOrDay),
  to: z.optional(momentOrDay),
});
export type DeliveryFilter = z.infer<typeof deliveryFilter>;
export const deliveryQuery = z.extend(deliveryFilter, pageQuery.shape);
export const deliveryPage = pageOf(delivery);

/** `GET /api/v1/deliveries/{id}`: with its newest 50 attempts, the newest first, and the body that is sent. */
export const deliveryDetail = z.extend(delivery, {
  attemptLog: z.array(deliveryAttempt),
  /** Null when the event has been deleted. */
  body: z.nullable(bytes),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

import * as z from "zod/mini";
import { cursorText, idText, moment, pageOf, repeated, text, typePattern, unknownInFilter } from "../api/parameters.ts";

/** Starts after `from`; without it at `since`, or at the log's end. */
const chosenEvents = z.object({
  from: z.optional(cursorText),
  since: z.optional(moment),
  type: repeated(typePattern),
  source: z.optional(text(100)),
});
export type ChosenEvents = z.infer<typeof chosenEvents>;

export const listenQuery = z.extend(chosenEvents, {
  name: z._default(text(100), "a program"),
  url: z._default(text(500), ""),
});
export type ListenQuery = z.infer<typeof listenQuery>;

/** As it was signed, to the byte: `raw` is the body as text; `rawBase64` replaces it if it is not UTF-8. */
export const listenedEvent = z.object({
  id: z.string(),
  type: z.string(),
  source: z.string(),
  receivedAt: z.string(),
  headers: z.record(z.string(), z.string()),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  redeliveryId: z.nullable(z.string()),
});
export type ListenedEvent = z.infer<typeof listenedEvent>;

/** Resumed from any frame's `id`. `reset`: the cursor was later than the (restored) log. `position`: everything before it was sent. */
export const listenFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), id: z.string(), data: z.object({ cursor: z.string(), reset: z.boolean() }) }),
  z.object({ event: z.literal("event"), id: z.string(), data: listenedEvent }),
  z.object({ event: z.literal("position"), id: z.string(), data: z.object({ at: z.string() }) }),
]);
export type ListenFrame = z.infer<typeof listenFrame>;

export const waitingQuery = chosenEvents;
export const waitingEvents = z.object({
  /** Events and re-deliveries; of the next 10,000 of the log at most. */
  count: z.int(),
  more: z.boolean(),
  /** Cursor behind them: a listener that begins here skips them. */
  cursor: z.string(),
  /** Types that no event has, and a source that there is not. */
  unknown: z.array(unknownInFilter),
});
export type WaitingEvents = z.infer<typeof waitingEvents>;

export const listener = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  types: z.array(z.string()),
  source: z.nullable(z.string()),
  openedBy: z.string(),
  connectedAt: z.string(),
});
export type Listener = z.infer<typeof listener>;
export const listenerList = pageOf(listener);

export const LOCAL_BODY_LENGTH = 4096;

export const localDelivery = z.object({
  command: z.enum(["listen", "replay"]),
  listener: z.string(),
  url: z.string(),
  redeliveryId: z.nullable(z.string()),
  at: z.string(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  durationMs: z.int(),
  body: z.nullable(z.string()),
  recordedBy: z.string(),
});
export type LocalDelivery = z.infer<typeof localDelivery>;

const reportedDelivery = z.object({
  eventId: idText,
  command: z.enum(["listen", "replay"]),
  listener: text(100),
  url: text(500),
  redeliveryId: z.nullish(text(100)),
  at: moment,
  status: z.nullable(z.int().check(z.minimum(100), z.maximum(599))),
  error: z.nullish(text(500)),
  durationMs: z.int().check(z.minimum(0), z.maximum(86_400_000)),
  body: z.nullish(text(LOCAL_BODY_LENGTH)),
});
export type ReportedDelivery = z.infer<typeof reportedDelivery>;

/** Unknown events are left out. */
export const localDeliveriesBody = z.object({ deliveries: z.array(reportedDelivery).check(z.minLength(1), z.maxLength(100)) });
export const localDeliveriesKept = z.object({ kept: z.int() });

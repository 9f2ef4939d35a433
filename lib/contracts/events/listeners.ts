import * as z from "zod/mini";
import { cursorText, repeated } from "../api/paging.ts";
import { idText, moment, text } from "../api/parameters.ts";

// `signalbox listen`: what it is sent, and what it reports.

/** Which events a listener gets. It goes on after `from`; without it, at `since`, or at the log's end. */
const chosenEvents = z.object({
  from: z.optional(cursorText),
  since: z.optional(moment),
  type: repeated(text(200)),
  source: z.optional(text(100)),
});
export type ChosenEvents = z.infer<typeof chosenEvents>;

/** `GET /api/v1/listeners/feed`. `name` and `url` say to people who listens, and where it sends events. */
export const listenQuery = z.extend(chosenEvents, {
  name: z._default(text(100), "a program"),
  url: z._default(text(500), ""),
});
export type ListenQuery = z.infer<typeof listenQuery>;

/** An event as it was signed, to the byte: `raw` is the body as text, `rawBase64` stands instead when it is not UTF-8. */
export const listenedEvent = z.object({
  id: z.string(),
  type: z.string(),
  source: z.string(),
  receivedAt: z.string(),
  headers: z.record(z.string(), z.string()),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  /** Set when this is a re-delivery. */
  redeliveryId: z.nullable(z.string()),
});
export type ListenedEvent = z.infer<typeof listenedEvent>;

/**
 * The frames of `GET /api/v1/listeners/feed`. Every frame with an `id` may be resumed from (`Last-Event-ID`). `ready`
 * comes first; its `reset` is true when the given cursor is of a later time than the log (which was restored), and the
 * stream begins at the log's end. `position` comes every 15 s at the least: all before it was sent.
 */
export const listenFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), id: z.string(), data: z.object({ cursor: z.string(), reset: z.boolean() }) }),
  z.object({ event: z.literal("event"), id: z.string(), data: listenedEvent }),
  z.object({ event: z.literal("position"), id: z.string(), data: z.object({ at: z.string() }) }),
]);
export type ListenFrame = z.infer<typeof listenFrame>;

/** `GET /api/v1/listeners/waiting`: how many events a listener would get at once, and the cursor behind them. */
export const waitingQuery = chosenEvents;
export const waitingEvents = z.object({
  /** Events and re-deliveries; of the next 10,000 of the log at most. */
  count: z.int(),
  /** True where more may wait than were counted. */
  more: z.boolean(),
  /** Cursor at which a listener begins that skips them. */
  cursor: z.string(),
});
export type WaitingEvents = z.infer<typeof waitingEvents>;

/** A listener that is connected. */
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
export const listenerList = z.object({ data: z.array(listener), nextCursor: z.null() });

/** Characters kept of a local app's answer. */
export const LOCAL_BODY_LENGTH = 4096;

/** Answer of a local app to one event. `status` is null where there was no answer; `error` then says why. */
export const localDelivery = z.object({
  command: z.enum(["listen", "replay"]),
  listener: z.string(),
  url: z.string(),
  redeliveryId: z.nullable(z.string()),
  at: z.string(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  durationMs: z.int(),
  /** The beginning of the answer. */
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

/** `POST /api/v1/local-deliveries`: what a local app answered, up to 100 at a time. Those of unknown events are left out. */
export const localDeliveriesBody = z.object({ deliveries: z.array(reportedDelivery).check(z.minLength(1), z.maxLength(100)) });
export const localDeliveriesKept = z.object({ kept: z.int() });

import * as z from "zod/mini";
import { EVENT_PERIODS, EVENT_STATUSES } from "./event-words.ts";
import { pageOf, pageQuery, repeated } from "./paging.ts";

/** pending: waits to be applied. failed: its last try failed. unrecognised: applied, but its type is not in the catalogue. */
export const eventStatus = z.enum(EVENT_STATUSES);
export type EventStatus = z.infer<typeof eventStatus>;

/** A resource that an event speaks of: `{ kind: "document", id: "doc_1" }`. */
export const resourceRef = z.object({ kind: z.string(), id: z.string() });
export type ResourceRef = z.infer<typeof resourceRef>;

/** An event as lists and the feed show it. Times are ISO 8601 UTC. */
export const eventSummary = z.object({
  id: z.string(),
  type: z.string(),
  /** The type in words: "Document processed". */
  title: z.string(),
  source: z.string(),
  status: eventStatus,
  /** The platform reports a failure of its own through this event (document.error and the like). */
  reportsFailure: z.boolean(),
  resources: z.array(resourceRef),
  created: z.string(),
  receivedAt: z.string(),
  bytes: z.int(),
  repeats: z.int(),
  conflicts: z.int(),
});
export type EventSummary = z.infer<typeof eventSummary>;

export const attempt = z.object({
  number: z.int(),
  at: z.string(),
  outcome: z.enum(["applied", "retrying", "failed"]),
  redeliveryId: z.nullable(z.string()),
  failureCode: z.nullable(z.string()),
  failureText: z.nullable(z.string()),
});
export type Attempt = z.infer<typeof attempt>;

/** What went wrong, why it probably did, and what to do about it. */
export const failure = z.object({ code: z.string(), what: z.string(), why: z.string(), mend: z.string() });
export type Failure = z.infer<typeof failure>;

const effectSide = z.object({ value: z.unknown(), eventId: z.string() });

/**
 * What this event did to one field of one view: the difference between the fold
 * of everything that came before it, by the platform's time, and the fold with it.
 */
export const effect = z.object({
  kind: z.string(),
  resourceId: z.string(),
  field: z.string(),
  value: z.unknown(),
  /** What stood before it and who had set that; null for nothing. */
  before: z.nullable(effectSide),
  /** False where the record has so many events that what stood before was not looked up. */
  beforeKnown: z.boolean(),
  /** What stands now and who set that. */
  now: effectSide,
  /** stands: its value is the present one. overtaken: another event set a later one. passed_over: it never counted, since a final state or the first sight stood already. */
  verdict: z.enum(["stands", "overtaken", "passed_over"]),
  /** Null while this event's value stands; else the event whose value stands. */
  overtakenBy: z.nullable(z.string()),
});
export type Effect = z.infer<typeof effect>;

/** Everything about one event. `raw` is the body as text; `rawBase64` stands instead when it is not UTF-8. */
export const eventDetail = z.extend(eventSummary, {
  envelope: z.unknown(),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  headers: z.record(z.string(), z.string()),
  remoteAddress: z.nullable(z.string()),
  verification: z.object({
    form: z.enum(["raw", "reserialized", "admitted"]),
    secretId: z.string(),
    secretCreatedAt: z.nullable(z.string()),
  }),
  /** Where the payload differs from the documented shape, in words. Empty when it fits or none is documented. */
  shapeNotes: z.array(z.string()),
  appliedAt: z.nullable(z.string()),
  failure: z.nullable(failure),
  /** The issue that the event failed by, now or before; null when it never failed. */
  issueId: z.nullable(z.string()),
  attempts: z.array(attempt),
  deliveries: z.array(z.object({ id: z.string(), state: z.string(), requestedBy: z.nullable(z.string()), createdAt: z.string() })),
  effects: z.array(effect),
  related: z.array(eventSummary),
  conflictBodies: z.array(z.object({ receivedAt: z.string(), raw: z.string(), repeats: z.int() })),
});
export type EventDetail = z.infer<typeof eventDetail>;

/** A period that ends now, and moves on with it. */
export const eventPeriod = z.enum(EVENT_PERIODS);
export type EventPeriod = z.infer<typeof eventPeriod>;

/**
 * `GET /api/v1/events` filters. `resource` is `doc_1` or `document:doc_1`; `from`, `to` are ISO 8601; `connection`
 * is one of ours; `duplicates=only` keeps what came more than once. `q` is words of the payload, ids, and terms:
 * `type:…`, `status:…`, `source:…`, `resource:…`, `data.status:failed`.
 */
export const eventFilter = z.object({
  type: repeated(z.string().check(z.maxLength(200))),
  status: repeated(eventStatus),
  source: z.optional(z.string().check(z.maxLength(100))),
  resource: z.optional(z.string().check(z.maxLength(600))),
  /** Events that ever failed the way that issue says. */
  issue: z.optional(z.string().check(z.maxLength(100))),
  connection: z.optional(z.string().check(z.maxLength(100))),
  duplicates: z.optional(z.literal("only")),
  period: z.optional(eventPeriod),
  q: z.optional(z.string().check(z.maxLength(200))),
  from: z.optional(z.iso.datetime({ offset: true })),
  to: z.optional(z.iso.datetime({ offset: true })),
});
export type EventFilter = z.infer<typeof eventFilter>;

export const eventQuery = z.extend(eventFilter, pageQuery.shape);
export type EventQuery = z.infer<typeof eventQuery>;
export const eventPage = pageOf(eventSummary);

/** `GET /api/v1/events/export`: what matches, newest first, streamed. */
export const exportQuery = z.extend(eventFilter, { format: z._default(z.enum(["ndjson", "csv"]), "ndjson") });

/**
 * `GET /api/v1/events/volume`: how many match, over time. `exact`: counted. `estimate`: from the
 * database's statistics. `at_least`: counting stopped there. `unknown`: counting took too long.
 */
export const eventVolume = z.object({
  from: z.string(),
  to: z.string(),
  stepSeconds: z.int(),
  total: z.int(),
  precision: z.enum(["exact", "estimate", "at_least", "unknown"]),
  /** Oldest first, empty ones included. */
  bars: z.array(z.object({ at: z.string(), count: z.int(), failed: z.int() })),
});
export type EventVolume = z.infer<typeof eventVolume>;

export const redeliveryAccepted = z.object({ id: z.string(), eventId: z.string(), state: z.string() });

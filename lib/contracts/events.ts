import { z } from "zod";
import { pageOf, pageQuery, repeated } from "./paging.ts";

/** pending: waits to be applied. failed: its last try failed. unrecognised: applied, but its type is not in the catalogue. */
export const eventStatus = z.enum(["pending", "processed", "failed", "unrecognised"]);
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
  bytes: z.number().int(),
  repeats: z.number().int(),
  conflicts: z.number().int(),
});
export type EventSummary = z.infer<typeof eventSummary>;

export const attempt = z.object({
  number: z.number().int(),
  at: z.string(),
  outcome: z.enum(["applied", "retrying", "failed"]),
  redeliveryId: z.string().nullable(),
  failureCode: z.string().nullable(),
  failureText: z.string().nullable(),
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
  before: effectSide.nullable(),
  /** False where the record has so many events that what stood before was not looked up. */
  beforeKnown: z.boolean(),
  /** What stands now and who set that. */
  now: effectSide,
  /** stands: its value is the present one. overtaken: another event set a later one. passed_over: it never counted, since a final state or the first sight stood already. */
  verdict: z.enum(["stands", "overtaken", "passed_over"]),
  /** Null while this event's value stands; else the event whose value stands. */
  overtakenBy: z.string().nullable(),
});
export type Effect = z.infer<typeof effect>;

/** Everything about one event. `raw` is the body as text; `rawBase64` stands instead when it is not UTF-8. */
export const eventDetail = eventSummary.extend({
  envelope: z.unknown(),
  raw: z.string().nullable(),
  rawBase64: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  remoteAddress: z.string().nullable(),
  verification: z.object({
    form: z.enum(["raw", "reserialized", "admitted"]),
    secretId: z.string(),
    secretCreatedAt: z.string().nullable(),
  }),
  /** Where the payload differs from the documented shape, in words. Empty when it fits or none is documented. */
  shapeNotes: z.array(z.string()),
  appliedAt: z.string().nullable(),
  failure: failure.nullable(),
  /** The issue that the event failed by, now or before; null when it never failed. */
  issueId: z.string().nullable(),
  attempts: z.array(attempt),
  deliveries: z.array(z.object({ id: z.string(), state: z.string(), requestedBy: z.string().nullable(), createdAt: z.string() })),
  effects: z.array(effect),
  related: z.array(eventSummary),
  conflictBodies: z.array(z.object({ receivedAt: z.string(), raw: z.string(), repeats: z.number().int() })),
});
export type EventDetail = z.infer<typeof eventDetail>;

/** A period that ends now, and moves on with it. */
export const eventPeriod = z.enum(["1h", "24h", "7d", "30d"]);
export type EventPeriod = z.infer<typeof eventPeriod>;

/**
 * `GET /api/v1/events` filters. `resource` is `doc_1` or `document:doc_1`; `from`, `to` are ISO 8601; `connection`
 * is one of ours; `duplicates=only` keeps what came more than once. `q` is words of the payload, ids, and terms:
 * `type:…`, `status:…`, `source:…`, `resource:…`, `data.status:failed`.
 */
export const eventFilter = z.object({
  type: repeated(z.string().max(200)),
  status: repeated(eventStatus),
  source: z.string().max(100).optional(),
  resource: z.string().max(600).optional(),
  /** Events that ever failed the way that issue says. */
  issue: z.string().max(100).optional(),
  connection: z.string().max(100).optional(),
  duplicates: z.literal("only").optional(),
  period: eventPeriod.optional(),
  q: z.string().max(200).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
});
export type EventFilter = z.infer<typeof eventFilter>;

export const eventQuery = eventFilter.extend(pageQuery.shape);
export type EventQuery = z.infer<typeof eventQuery>;
export const eventPage = pageOf(eventSummary);

/** `GET /api/v1/events/export`: what matches, newest first, streamed. */
export const exportQuery = eventFilter.extend({ format: z.enum(["ndjson", "csv"]).default("ndjson") });

/**
 * `GET /api/v1/events/volume`: how many match, over time. `exact`: counted. `estimate`: from the
 * database's statistics. `at_least`: counting stopped there. `unknown`: counting took too long.
 */
export const eventVolume = z.object({
  from: z.string(),
  to: z.string(),
  stepSeconds: z.number().int(),
  total: z.number().int(),
  precision: z.enum(["exact", "estimate", "at_least", "unknown"]),
  /** Oldest first, empty ones included. */
  bars: z.array(z.object({ at: z.string(), count: z.number().int(), failed: z.number().int() })),
});
export type EventVolume = z.infer<typeof eventVolume>;

export const redeliveryAccepted = z.object({ id: z.string(), eventId: z.string(), state: z.string() });

import * as z from "zod/mini";
import { filterShape } from "#lib/contracts/api/filter-schema";
import { pageOf, pageQuery } from "#lib/contracts/api/paging";
import { EVENT_PERIODS, EVENT_STATES } from "./event-enums.ts";
import { EVENT_FILTERS, type EventFilter } from "./event-filters.ts";
import { localDelivery } from "./listeners.ts";

/** pending: waits to be applied. failed: its last try failed. unrecognised: applied, but its type is not in the catalogue. */
export const eventState = z.enum(EVENT_STATES);
export type EventState = z.infer<typeof eventState>;

/** A resource that an event names: `{ kind: "document", id: "doc_1" }`. */
export const resourceRef = z.object({ kind: z.string(), id: z.string() });
export type ResourceRef = z.infer<typeof resourceRef>;

/** The same with its name for people: a document's file name, a task's title. Absent where no event has named it. */
export const namedResource = z.extend(resourceRef, { name: z.optional(z.string()) });
export type NamedResource = z.infer<typeof namedResource>;

/** An event as lists and the feed show it. Times are ISO 8601 UTC. */
export const eventSummary = z.object({
  id: z.string(),
  type: z.string(),
  /** The type in words: "Document processed". */
  title: z.string(),
  source: z.string(),
  state: eventState,
  /** The platform reports a failure of its own through this event (document.error and the like). */
  reportsFailure: z.boolean(),
  /** Of a failed event: what went wrong, in words. */
  failedBecause: z.nullable(z.string()),
  /** The resources that it names. The feed has no names: the list does, once the event is applied. */
  resources: z.array(namedResource),
  /** The platform's time of the event, as it is ordered by: bounded by its receipt (`createdNote` of a single event). */
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

/** A failure, its likely cause and its fix. */
export const failure = z.object({ code: z.string(), what: z.string(), why: z.string(), fix: z.string() });
export type Failure = z.infer<typeof failure>;

const effectSide = z.object({ value: z.unknown(), eventId: z.string() });

/**
 * Effect of this event on one field of one view: the difference between the fold
 * of everything that came before it, by the platform's time, and the fold with it.
 */
export const effect = z.object({
  kind: z.string(),
  resourceId: z.string(),
  /** The record's name; absent where it has none. */
  resourceName: z.optional(z.string()),
  field: z.string(),
  value: z.unknown(),
  /** The value before it and the event that had set it; null for nothing. */
  before: z.nullable(effectSide),
  /** False where the record has so many events that what stood before was not looked up, or events that set it later have left the log. */
  beforeKnown: z.boolean(),
  /** The present value and the event that set it. */
  now: effectSide,
  /** stands: its value is the present one. overtaken: another event set a later one. passed_over: it never counted, since a final state or the first sight stood already. */
  verdict: z.enum(["stands", "overtaken", "passed_over"]),
  /** Null while this event's value stands; else the event whose value stands. */
  overtakenBy: z.nullable(z.string()),
});
export type Effect = z.infer<typeof effect>;

/**
 * Part of a record's history that was read where it is too large to be read whole: the newest `read` of `total`
 * events, `more` when there are even more than `total`.
 */
export const historyCoverage = z.object({ read: z.int(), total: z.int(), more: z.boolean() });
export type HistoryCoverage = z.infer<typeof historyCoverage>;

/**
 * Everything about one event. `raw` is the body as text; `rawBase64` stands instead when it is not UTF-8. Where the signature covers other
 * bytes of the same JSON than those that came, `raw` is what was signed and `receivedRaw` what came; else `receivedRaw` is null.
 */
export const eventDetail = z.extend(eventSummary, {
  envelope: z.unknown(),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  receivedRaw: z.nullable(z.string()),
  headers: z.record(z.string(), z.string()),
  ip: z.nullable(z.string()),
  verification: z.object({
    form: z.enum(["raw", "reserialized", "signed", "signed_late", "token", "network", "released"]),
    secretId: z.string(),
    secretCreatedAt: z.nullable(z.string()),
  }),
  /** Parts of the platform's `created` not taken as received (milliseconds, the future, no time), in words; null where all were. */
  createdNote: z.nullable(z.string()),
  /** Differences between the payload and the documented shape, in words. Empty when it fits or none is documented. */
  shapeNotes: z.array(z.string()),
  appliedAt: z.nullable(z.string()),
  failure: z.nullable(failure),
  /** The issue that the event failed by, now or before; null when it never failed. */
  issueId: z.nullable(z.string()),
  attempts: z.array(attempt),
  deliveries: z.array(z.object({ id: z.string(), state: z.string(), requestedBy: z.nullable(z.string()), createdAt: z.string() })),
  /** Answers of local apps (`signalbox listen` and `replay`), newest first, the last 20. Not deliveries to destinations. */
  localDeliveries: z.array(localDelivery),
  effects: z.array(effect),
  /** True where `partialHistories` has some. */
  partial: z.boolean(),
  /** Records whose history is too large to be read whole: what stood before is of the newest events alone. */
  partialHistories: z.array(z.extend(historyCoverage, { kind: z.string(), resourceId: z.string() })),
  related: z.array(eventSummary),
  /** URL of the event's trace (TRACE_URL); null where the installation names none. */
  traceUrl: z.nullable(z.string()),
  /** The first that came; `conflicts` counts all. `raw`: the first 64 kB, of three bodies; null for the others. `bytes`: the whole length. */
  conflictBodies: z.array(
    z.object({ receivedAt: z.string(), raw: z.nullable(z.string()), sha256: z.string(), bytes: z.int(), repeats: z.int() }),
  ),
});
export type EventDetail = z.infer<typeof eventDetail>;

/** A period that ends now, and moves on with it. */
export const eventPeriod = z.enum(EVENT_PERIODS);
export type EventPeriod = z.infer<typeof eventPeriod>;

/** `GET /api/v1/events` filters, as event-filters.ts declares them. */
export const eventFilter = z.object(filterShape(EVENT_FILTERS));
export type { EventFilter };

export const eventQuery = z.extend(eventFilter, pageQuery.shape);
export type EventQuery = z.infer<typeof eventQuery>;

/**
 * Events of a search's period whose payload holds more than is filed of one for the search: 64 KB, short values first, then timestamps,
 * links and long text. `at_least`: counting stopped there. `unknown`: it took too long.
 */
export const searchedInPart = z.object({ count: z.int(), precision: z.enum(["exact", "at_least", "unknown"]) });
export type SearchedInPart = z.infer<typeof searchedInPart>;

/**
 * Time back to which a search looked, while the search is being filed again after a crash of the database or a restore, and about how many of
 * the workspace's events from before wait for it.
 */
export const searchedBackTo = z.object({ at: z.string(), eventsWaiting: z.int() });
export type SearchedBackTo = z.infer<typeof searchedBackTo>;

/** A page of the log. `searchedInPart` stands where `q` searches payloads, `searchedBackTo` where it did not look into all of the period. */
export const eventPage = z.extend(pageOf(eventSummary), {
  searchedInPart: z.optional(searchedInPart),
  searchedBackTo: z.optional(searchedBackTo),
});
export type EventPage = z.infer<typeof eventPage>;

/** `GET /api/v1/events/export`: what matches, newest first, streamed. */
/** `POST /api/v1/events/exports`: an export that is downloaded once, and watched as an operation meanwhile. */
export const exportBody = z.object({
  filter: z._default(z.strictObject(eventFilter.shape), {}),
  format: z._default(z.enum(["ndjson", "csv"]), "ndjson"),
});
export type ExportBody = z.infer<typeof exportBody>;

export const exportQuery = z.extend(eventFilter, { format: z._default(z.enum(["ndjson", "csv"]), "ndjson") });

/**
 * `GET /api/v1/events/volume`: how many match, over time. `exact`: counted. `estimate`: from the
 * database's statistics, or a share of counted events that a sample has told. `at_least`: counting stopped there. `unknown`:
 * counting took too long.
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

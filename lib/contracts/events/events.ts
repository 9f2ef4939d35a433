import * as z from "zod/mini";
import { cursorText, filteredPageOf, filterShape, moment, pageOf, pageQuery, setFilterShape, text } from "#lib/contracts/api/parameters";
import {
  EVENT_FILTERS,
  EVENT_ORDERS,
  EVENT_PERIODS,
  EVENT_STATES,
  type EventFilter,
  SEEKS_NOTHING,
  seeksNothing,
} from "./event-filters.ts";
import { localDelivery } from "./listeners.ts";

/** pending: waits to be applied. failed: its last attempt failed. unrecognised: applied, but its type is not in the catalogue. */
export const eventState = z.enum(EVENT_STATES);
export type EventState = z.infer<typeof eventState>;

export const resourceRef = z.object({ kind: z.string(), id: z.string() });
export type ResourceRef = z.infer<typeof resourceRef>;

export const namedResource = z.extend(resourceRef, { name: z.optional(z.string()) });
export type NamedResource = z.infer<typeof namedResource>;

export const eventSummary = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  source: z.string(),
  state: eventState,
  reportsFailure: z.boolean(),
  /** What the platform says in it: its message, else its code. Lists and the event itself have it, the feed has not. */
  reportedMessage: z.nullable(z.string()),
  /** What it is about, by its source's reading: `acme/api #12 Fix the login`. One line, at most 120 characters. As with `reportedMessage`, not in the feed. */
  about: z.optional(z.string()),
  failedBecause: z.nullable(z.string()),
  /** It could not be applied at some time; `repaired`: it was applied since. */
  everFailed: z.boolean(),
  repaired: z.boolean(),
  /** Why it failed the last time; it stays when the event is repaired. */
  lastFailure: z.nullable(z.string()),
  /** The feed has no names; the list has, once the event is applied. */
  resources: z.array(namedResource),
  /** The time that the event is ordered by: the platform's, bounded by the receipt. */
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

export const failure = z.object({ code: z.string(), what: z.string(), why: z.string(), fix: z.string() });
export type Failure = z.infer<typeof failure>;

const effectSide = z.object({ value: z.unknown(), eventId: z.string() });

/** The fold of everything before the event, by the platform's time, compared with the fold including it. */
export const effect = z.object({
  kind: z.string(),
  resourceId: z.string(),
  resourceName: z.optional(z.string()),
  field: z.string(),
  value: z.unknown(),
  before: z.nullable(effectSide),
  /** False if the record has too many events to look it up, or events that set it later have left the log. */
  beforeKnown: z.boolean(),
  now: effectSide,
  /** passed_over: it never counted, because a final state or the first sight was set already. */
  verdict: z.enum(["stands", "overtaken", "passed_over"]),
  overtakenBy: z.nullable(z.string()),
});
export type Effect = z.infer<typeof effect>;

/** Of a history that is too large, the newest `read` of `total` events are read; `more` if there are even more than `total`. */
export const historyCoverage = z.object({ read: z.int(), total: z.int(), more: z.boolean() });
export type HistoryCoverage = z.infer<typeof historyCoverage>;

/** `rawBase64` replaces `raw` if it isn't UTF-8. `receivedRaw`: set if the signature covers other bytes of the same JSON. */
export const eventDetail = z.extend(eventSummary, {
  envelope: z.unknown(),
  raw: z.nullable(z.string()),
  rawBase64: z.nullable(z.string()),
  receivedRaw: z.nullable(z.string()),
  headers: z.record(z.string(), z.string()),
  ip: z.nullable(z.string()),
  verification: z.object({
    form: z.enum(["raw", "reserialized", "signed", "signed_late", "partly_signed", "token", "network", "released"]),
    secretId: z.string(),
    secretCreatedAt: z.nullable(z.string()),
    /** Fields of the body that the source's signature covers, for `partly_signed`. */
    covers: z.optional(z.array(z.string())),
  }),
  /** Parts of `created` that were not taken as received (milliseconds, the future, no time), in words. */
  createdNote: z.nullable(z.string()),
  shapeNotes: z.array(z.string()),
  /** What no event of its type had before: `data.risk`, `data.pages as null`, `data.status = paused`. */
  firstWith: z._default(z.array(z.string()), []),
  appliedAt: z.nullable(z.string()),
  failure: z.nullable(failure),
  issueId: z.nullable(z.string()),
  attempts: z.array(attempt),
  deliveries: z.array(z.object({ id: z.string(), state: z.string(), requestedBy: z.nullable(z.string()), createdAt: z.string() })),
  /** Answers of local apps (`signalbox listen` and `replay`), the newest 20. Not deliveries to destinations. */
  localDeliveries: z.array(localDelivery),
  effects: z.array(effect),
  partial: z.boolean(),
  partialHistories: z.array(z.extend(historyCoverage, { kind: z.string(), resourceId: z.string() })),
  related: z.array(eventSummary),
  traceUrl: z.nullable(z.string()),
  /** The first ones; `conflicts` counts all. `raw`: the first 64 kB of three bodies, null for the others. `bytes`: the whole length. */
  conflictBodies: z.array(
    z.object({ receivedAt: z.string(), raw: z.nullable(z.string()), sha256: z.string(), bytes: z.int(), repeats: z.int() }),
  ),
});
export type EventDetail = z.infer<typeof eventDetail>;

export const eventPeriod = z.enum(EVENT_PERIODS);
export type EventPeriod = z.infer<typeof eventPeriod>;

export const eventFilter = z.object(filterShape(EVENT_FILTERS));
export type { EventFilter };

/** `occurred` sorts by the sender's time (`created`): of 31 days at most. */
export const eventQuery = z.extend(eventFilter, { ...pageQuery.shape, order: z._default(z.enum(EVENT_ORDERS), "received") });
export type EventQuery = z.infer<typeof eventQuery>;

/** Events with more than 64 KB of payload: the rest is not indexed. `at_least`: counting stopped. `unknown`: it took too long. */
export const searchedInPart = z.object({ count: z.int(), precision: z.enum(["exact", "at_least", "unknown"]) });
export type SearchedInPart = z.infer<typeof searchedInPart>;

/** Set while the search index is rebuilt after a crash or a restore: how far back it reaches, and about how many events wait. */
export const searchedBackTo = z.object({ at: z.string(), eventsWaiting: z.int() });
export type SearchedBackTo = z.infer<typeof searchedBackTo>;

/** `searchedInPart` is set if `q` searches payloads, `searchedBackTo` if not all of the period was searched. */
export const eventPage = z.extend(filteredPageOf(eventSummary), {
  searchedInPart: z.optional(searchedInPart),
  searchedBackTo: z.optional(searchedBackTo),
});
export type EventPage = z.infer<typeof eventPage>;

const seeksSomething = z.refine<EventFilter>((filter) => !seeksNothing(filter), { error: SEEKS_NOTHING, path: ["q"] });

/** Of a body that acts on all that match. */
export const eventSetFilter = z.strictObject(setFilterShape(EVENT_FILTERS)).check(seeksSomething);

export const exportBody = z.object({
  filter: z._default(eventSetFilter, {}),
  format: z._default(z.enum(["ndjson", "csv"]), "ndjson"),
});
export type ExportBody = z.infer<typeof exportBody>;

export const exportQuery = z
  .object({ ...setFilterShape(EVENT_FILTERS), format: z._default(z.enum(["ndjson", "csv"]), "ndjson") })
  .check(seeksSomething);

/** `estimate`: from the database's statistics or a sample. `at_least`: counting stopped there. `unknown`: it took too long. */
export const eventVolume = z.object({
  from: z.string(),
  to: z.string(),
  stepSeconds: z.int(),
  total: z.int(),
  precision: z.enum(["exact", "estimate", "at_least", "unknown"]),
  /** The time that the bars are of. `occurred` where the filter has `occurredFrom`, and spans at most 31 days. */
  by: z.enum(EVENT_ORDERS),
  /**
   * `failed`: failed now. `everFailed`: at some time; `repaired`: of those, applied since. `reported`: report a failure, and never failed
   * here. Above 10,000 the last three are a lower bound.
   */
  bars: z.array(z.object({ at: z.string(), count: z.int(), failed: z.int(), everFailed: z.int(), repaired: z.int(), reported: z.int() })),
});
export type EventVolume = z.infer<typeof eventVolume>;

export const redeliveryAccepted = z.object({ id: z.string(), eventId: z.string(), state: z.string() });

/** Resumed from the ID of `appended`; losing others loses nothing. `delayed`: an open transaction holds events back; 0 ends it. `build`: the server's. */
export const feedFrame = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("ready"),
    data: z.object({ cursor: z.string(), build: z.optional(z.string()), resumed: z.optional(z.boolean()) }),
  }),
  z.object({ event: z.literal("appended"), id: z.string(), data: eventSummary }),
  z.object({ event: z.literal("applied"), data: z.object({ at: z.string() }) }),
  z.object({ event: z.literal("delayed"), data: z.object({ seconds: z.int().check(z.nonnegative()) }) }),
]);
export type FeedFrame = z.infer<typeof feedFrame>;

/** For a client that can't send `Last-Event-ID` the first time. */
export const feedQuery = z.object({ from: z.optional(cursorText) });

export const eventFieldsQuery = z.object({ source: z.optional(text(100)) });

/** `path` as the search takes it: `data.status`. `values`: if there were only a few. `inList`: elsewhere the path needs a list's index. */
export const eventField = z.object({ path: z.string(), values: z.array(z.string()), inList: z.boolean() });
export type EventField = z.infer<typeof eventField>;

export const eventFieldList = pageOf(eventField);

export const MAX_VALUE_PATHS = 4;

/** At most 50 IDs, and the first 4 paths. */
export const eventValuesQuery = z.object(
  filterShape({
    id: { value: { kind: "texts", max: 200 }, label: "Event ID" },
    path: { value: { kind: "texts", max: 200 }, label: "Payload field" },
  }),
);

const eventValues = z.object({ id: z.string(), source: z.string(), values: z.record(z.string(), z.string()) });
export type EventValues = z.infer<typeof eventValues>;

export const eventValuesList = pageOf(eventValues);

export const MAX_ANNOTATIONS = 100;

export const annotationsQuery = z.object({ from: moment, to: moment });

const annotation = z.object({
  kind: z.enum(["change", "version", "outage"]),
  at: z.string(),
  until: z.nullable(z.string()),
  text: z.string(),
});
export type Annotation = z.infer<typeof annotation>;

export const annotations = z.object({ data: z.array(annotation) });

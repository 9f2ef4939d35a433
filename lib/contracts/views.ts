import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import { pageOf, pageQuery } from "./api/paging.ts";
import { idText, momentOrDay, text } from "./api/parameters.ts";
import { eventSummary, historyCoverage, namedResource } from "./events/events.ts";
import { VIEW_FILTERS } from "./filters/view-filters.ts";

export const viewKind = z.enum(["document", "task", "pipeline", "automation", "run", "integration", "record"]);
export type ViewKind = z.infer<typeof viewKind>;

/** A field of a view: its value and the event that set it. `at` is the platform's time, ISO 8601. */
export const viewField = z.object({ value: z.unknown(), eventId: z.string(), at: z.string() });
export type ViewField = z.infer<typeof viewField>;

/** One document, task, pipeline, automation, automation run, integration or record of another sender, as the log has it. */
export const viewRecord = z.object({
  kind: viewKind,
  id: z.string(),
  /** A short name for people; the id when none is known. */
  label: z.string(),
  /** The lifecycle state, for example `processed`; `unknown` until an event says. */
  state: z.string(),
  failed: z.boolean(),
  parent: z.nullable(z.string()),
  fields: z.record(z.string(), viewField),
  /** Names of the records that its fields name (`document:doc_1`), as far as they are known. Absent where none are. */
  names: z.optional(z.record(z.string(), z.string())),
  /**
   * True where events named more than 200 fields (or stages) that Signalbox does not know: `fields` has the first
   * 200 of them by name, and each event has its whole payload. Absent where nothing was left out.
   */
  fieldsLeftOut: z.optional(z.literal(true)),
  /** The newest event's platform time. */
  lastEventAt: z.string(),
  /** In lists of pipelines and automations: how many tasks or runs it has in each state. */
  childStates: z.optional(z.record(z.string(), z.int())),
});
export type ViewRecord = z.infer<typeof viewRecord>;

/** `events` newest first; `children` are a pipeline's tasks or an automation's runs. */
const linkedConnection = z.object({ id: z.string(), name: z.string() });
export type LinkedConnection = z.infer<typeof linkedConnection>;
export const viewDetail = z.extend(viewRecord, {
  events: z.array(eventSummary),
  children: z.array(viewRecord),
  /** The connection that an integration belongs to now; null where that is unknown, and for other kinds. */
  connection: z.nullable(linkedConnection),
  /** Ids of events that set a field and have left the log since: the field stays. */
  forgotten: z.array(z.string()),
  asOf: z.nullable(z.string()),
  /** Of a past moment: true where its events are too many or too large to be read, or have left the log (`knownFrom`). */
  partial: z.boolean(),
  /** Number of events that were read then; null where all were. */
  coverage: z.nullable(historyCoverage),
  /**
   * Of a past moment before which events have left the log: from when on the record is known whole, ISO 8601. Until then
   * a field is missing where such an event set it later, and `state` is `unknown` likewise. Null where all is known.
   */
  knownFrom: z.nullable(z.string()),
});
export type ViewDetail = z.infer<typeof viewDetail>;

/** `order=asc`: the record whose newest event is the oldest comes first. */
export const viewOrder = z.enum(["desc", "asc"]);
export type ViewOrder = z.infer<typeof viewOrder>;
export const viewQuery = z.extend(pageQuery, { ...filterShape(VIEW_FILTERS), order: z.optional(viewOrder) });

/** `GET /api/v1/views/{kind}/count`: how many match. Counts above 10,000 are capped (`10001`). */
export const viewCountParams = z.object({ kind: viewKind });
export const viewCountQuery = z.object(filterShape(VIEW_FILTERS));
export const viewCount = z.object({ count: z.int() });
export type ViewQuery = z.infer<typeof viewQuery>;
export const viewPage = pageOf(viewRecord);

/** `GET /api/v1/views/search?q=`: all words of `q` must occur in a record's name or id, in any order. */
export const viewSearchQuery = z.object({ q: text(200).check(z.trim(), z.minLength(1)) });
export const viewSearchResult = z.pick(viewRecord, { kind: true, id: true, label: true, state: true, failed: true, lastEventAt: true });
export type ViewSearchResult = z.infer<typeof viewSearchResult>;
export const viewSearch = z.object({
  /** The best match first, at most 12. */
  data: z.array(viewSearchResult),
  /** True where nothing matched to the letter and these differ from `q` by one slip of the keyboard in each word. */
  approximate: z.boolean(),
  /** False where the search took too long and was cut short. */
  complete: z.boolean(),
});
export type ViewSearch = z.infer<typeof viewSearch>;

/**
 * The moments at which a record may have changed, oldest first; `earlier` when there are more before them. Where events
 * have left the log, the last of these is a moment too: `knownFrom`, ISO 8601, from when on the record is known whole.
 */
export const viewMoments = z.object({
  data: z.array(
    z.object({
      at: z.string(),
      /** Number of events created in that second, and their types, in words. */
      events: z.int(),
      titles: z.array(z.string()),
      /** One of them reports a failure. */
      failed: z.boolean(),
    }),
  ),
  earlier: z.boolean(),
  knownFrom: z.nullable(z.string()),
});
export type ViewMoments = z.infer<typeof viewMoments>;
export type ViewMoment = ViewMoments["data"][number];
export const momentParams = z.object({ kind: viewKind, id: idText });

/** A field that an event changed; null for no value. */
const fieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type TimelineChange = z.infer<typeof fieldChange>;

/**
 * Changes of a record, newest first by the platform's time, with the effect of each event on it. A document's
 * also has the events of the tasks that were made of it.
 */
export const viewTimeline = z.object({
  data: z.array(z.object({ event: eventSummary, record: namedResource, changes: z.array(fieldChange) })),
  /** The tasks that a document became, five at most. */
  tasks: z.array(viewRecord),
  /** True where older events were left out, or have left the log. */
  partial: z.boolean(),
  /** Time since when the record is known whole, ISO 8601; null where none of its events have left the log. */
  knownFrom: z.nullable(z.string()),
});
export type ViewTimeline = z.infer<typeof viewTimeline>;
export type TimelineEntry = ViewTimeline["data"][number];

/** `?asOf=` of a view: a moment of the platform's time, ISO 8601; what was created up to then counts. */
export const asOfQuery = z.object({ asOf: z.optional(momentOrDay) });

/**
 * A pipeline's board: its stages as seen in the log, in order of first sight.
 * `count` are all tasks of a stage, in work and completed together;
 * `tasks` the newest 20 in work and the newest 5 completed. Counts above 1,000
 * are capped (`1001`).
 */
export const pipelineBoard = z.object({
  pipeline: viewRecord,
  stages: z.array(
    z.object({
      name: z.string(),
      tasks: z.array(viewRecord),
      count: z.int(),
      active: z.int(),
      completed: z.int(),
    }),
  ),
  /** The moment that it shows; null for now. `partial`, `coverage` and `knownFrom` as with a view of the past. */
  asOf: z.nullable(z.string()),
  partial: z.boolean(),
  coverage: z.nullable(historyCoverage),
  knownFrom: z.nullable(z.string()),
});
export type PipelineBoard = z.infer<typeof pipelineBoard>;

/**
 * Tasks over time, oldest bar first: those that came to each stage, how long those that left it had been there, and
 * those that were completed. Times in seconds of the platform's clock.
 */
export const pipelineThroughput = z.object({
  since: z.string(),
  stepSeconds: z.int(),
  stages: z.array(
    z.object({
      name: z.string(),
      arrived: z.array(z.int()),
      /** Of the tasks that left the stage in the whole range; null where none did. */
      stay: z.nullable(z.object({ left: z.int(), p50: z.int(), p95: z.int() })),
      /** The median of those that left in each bar; null where none did. */
      stays: z.array(z.nullable(z.int())),
    }),
  ),
  completed: z.array(z.int()),
});
export type PipelineThroughput = z.infer<typeof pipelineThroughput>;

import * as z from "zod/mini";
import { filteredPageOf, filterShape, idText, momentOrDay, pageOf, pageQuery, text } from "./api/parameters.ts";
import { BOARD_FILTERS } from "./board-filters.ts";
import { eventSummary, historyCoverage, namedResource } from "./events/events.ts";
import { VIEW_FILTERS } from "./list-filters.ts";

export const viewKind = z.enum(["document", "task", "pipeline", "automation", "run", "integration", "record"]);
export type ViewKind = z.infer<typeof viewKind>;

/** `at` is the platform's time, ISO 8601. */
export const viewField = z.object({ value: z.unknown(), eventId: z.string(), at: z.string() });
export type ViewField = z.infer<typeof viewField>;

export const viewRecord = z.object({
  kind: viewKind,
  id: z.string(),
  /** A short name for people; the ID if none is known. */
  label: z.string(),
  /** Lifecycle state such as `processed`; `unknown` until an event sets it. */
  state: z.string(),
  failed: z.boolean(),
  parent: z.nullable(z.string()),
  fields: z.record(z.string(), viewField),
  /** Known names of the records in its fields (`document:doc_1`). */
  names: z.optional(z.record(z.string(), z.string())),
  /** True if events named more than 200 unknown fields or stages: `fields` has the first 200 by name. */
  fieldsLeftOut: z.optional(z.literal(true)),
  lastEventAt: z.string(),
  /** In lists of pipelines and automations: number of tasks or runs in each state. */
  childStates: z.optional(z.record(z.string(), z.int())),
});
export type ViewRecord = z.infer<typeof viewRecord>;

/** `events` newest first; `children` are a pipeline's tasks or an automation's runs. */
const linkedConnection = z.object({ id: z.string(), name: z.string() });
export type LinkedConnection = z.infer<typeof linkedConnection>;
export const viewDetail = z.extend(viewRecord, {
  events: z.array(eventSummary),
  children: z.array(viewRecord),
  /** Present connection of an integration; null if unknown, and for other kinds. */
  connection: z.nullable(linkedConnection),
  /** IDs of events that set a field and have left the log: the field stays. */
  forgotten: z.array(z.string()),
  asOf: z.nullable(z.string()),
  /** For a past moment: true if its events are too many or too large to be read, or have left the log (`knownFrom`). */
  partial: z.boolean(),
  coverage: z.nullable(historyCoverage),
  /** When the record is known completely from. Before that, fields that deleted events set later are missing, and `state` is `unknown`. */
  knownFrom: z.nullable(z.string()),
});
export type ViewDetail = z.infer<typeof viewDetail>;

/** asc: the record whose newest event is the oldest comes first. */
export const viewOrder = z.enum(["desc", "asc"]);
export type ViewOrder = z.infer<typeof viewOrder>;
export const viewQuery = z.extend(pageQuery, { ...filterShape(VIEW_FILTERS), order: z.optional(viewOrder) });

/** Counts above 10,000 are capped (`10001`). */
export const viewCountParams = z.object({ kind: viewKind });
export const viewCountQuery = z.object(filterShape(VIEW_FILTERS));
export const viewCount = z.object({ count: z.int() });
export type ViewQuery = z.infer<typeof viewQuery>;
export const viewPage = filteredPageOf(viewRecord);

/** Every word of `q` must occur in a record's name or ID, in any order. */
export const viewSearchQuery = z.object({ q: text(200).check(z.trim(), z.minLength(1)) });
export const viewSearchResult = z.pick(viewRecord, { kind: true, id: true, label: true, state: true, failed: true, lastEventAt: true });
export type ViewSearchResult = z.infer<typeof viewSearchResult>;
export const viewSearch = z.object({
  data: z.array(viewSearchResult),
  /** True if nothing matched exactly and these differ from `q` by one typo in each word. */
  approximate: z.boolean(),
  complete: z.boolean(),
});
export type ViewSearch = z.infer<typeof viewSearch>;

/** Oldest first; `earlier`: there are more. Once events have left the log, `knownFrom` is the last moment. */
export const viewMoments = z.object({
  data: z.array(
    z.object({
      at: z.string(),
      /** Events created in that second; `titles` are their types in words. */
      events: z.int(),
      titles: z.array(z.string()),
      failed: z.boolean(),
    }),
  ),
  earlier: z.boolean(),
  knownFrom: z.nullable(z.string()),
});
export type ViewMoments = z.infer<typeof viewMoments>;
export type ViewMoment = ViewMoments["data"][number];
export const momentParams = z.object({ kind: viewKind, id: idText });

const fieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type TimelineChange = z.infer<typeof fieldChange>;

/** Newest first by the platform's time. A document's timeline includes the events of its tasks. */
export const viewTimeline = z.object({
  data: z.array(z.object({ event: eventSummary, record: namedResource, changes: z.array(fieldChange) })),
  tasks: z.array(viewRecord),
  partial: z.boolean(),
  knownFrom: z.nullable(z.string()),
});
export type ViewTimeline = z.infer<typeof viewTimeline>;
export type TimelineEntry = ViewTimeline["data"][number];

/** Platform time, ISO 8601; events created up to then count. */
export const asOfQuery = z.object({ asOf: z.optional(momentOrDay) });

/** `order=waiting`: active tasks that have been in their stage longest come first, instead of the newest. */
export const boardQuery = z.extend(asOfQuery, filterShape(BOARD_FILTERS));

/** `count`: all matching tasks of a stage; `tasks`: the first 20 active and the newest 5 completed. Counts above 10,000 are capped (`10001`). */
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
  /** Whom the workspace's tasks are assigned to, by name; the first 100. */
  assignees: z.array(z.string()),
  asOf: z.nullable(z.string()),
  partial: z.boolean(),
  coverage: z.nullable(historyCoverage),
  knownFrom: z.nullable(z.string()),
});
export type PipelineBoard = z.infer<typeof pipelineBoard>;

/** Arrivals, stays and completions, oldest bar first. Times in seconds. */
export const pipelineThroughput = z.object({
  since: z.string(),
  stepSeconds: z.int(),
  stages: z.array(
    z.object({
      name: z.string(),
      arrived: z.array(z.int()),
      /** Of tasks that left the stage within the range; null if none did. */
      stay: z.nullable(z.object({ left: z.int(), p50: z.int(), p95: z.int() })),
      stays: z.array(z.nullable(z.int())),
    }),
  ),
  completed: z.array(z.int()),
});
export type PipelineThroughput = z.infer<typeof pipelineThroughput>;

const side = z.object({ value: z.unknown(), eventId: z.string(), at: z.number() });

/** `field` is `*` if the whole record is on one side only. */
export const viewDifference = z.object({
  kind: viewKind,
  id: z.string(),
  field: z.string(),
  live: z.nullable(side),
  rebuilt: z.nullable(side),
});
export type ViewDifference = z.infer<typeof viewDifference>;

const kindSide = z.object({ records: z.int(), hash: z.string() });

/** Hashes are SHA-256 over all registers of a kind: equal means the same to the byte. */
export const rebuildReport = z.object({
  events: z.int(),
  kinds: z.array(z.object({ kind: viewKind, live: kindSide, rebuilt: kindSide })),
  /** Records missing in the views; records that no event makes; records with different fields. */
  missing: z.int(),
  surplus: z.int(),
  different: z.int(),
  /** Moves of tasks between stages, one for each event. Reports of earlier versions have none. */
  moves: z.optional(
    z.object({
      live: z.int(),
      rebuilt: z.int(),
      missing: z.int(),
      surplus: z.int(),
      different: z.int(),
      /** Kept, though the log no longer holds their events. */
      carried: z.int(),
    }),
  ),
  differences: z.array(viewDifference),
  /** Fields set by events that have left the log. */
  carriedFields: z.int(),
  /** Events that waited to be applied during the comparison; they count as applied. */
  waiting: z.int(),
  corrected: z.int(),
  logBegins: z.nullable(z.string()),
  ms: z.object({ folding: z.number(), comparing: z.number(), writing: z.number() }),
});
export type RebuildReport = z.infer<typeof rebuildReport>;

export const rebuildState = z.enum(["queued", "running", "done", "stopped", "failed"]);

/** `dryRun`: a check that changes nothing. */
export const viewRebuild = z.object({
  id: z.string(),
  state: rebuildState,
  dryRun: z.boolean(),
  phase: z.nullable(z.enum(["folding", "comparing", "writing"])),
  done: z.int(),
  total: z.int(),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  failure: z.nullable(z.string()),
  report: z.nullable(rebuildReport),
});
export type ViewRebuild = z.infer<typeof viewRebuild>;
export const viewRebuildList = pageOf(viewRebuild);

export const startRebuildBody = z.object({ dryRun: z._default(z.boolean(), false) });

import * as z from "zod/mini";
import { eventSummary } from "./events.ts";
import { pageOf, pageQuery } from "./paging.ts";

export const viewKind = z.enum(["document", "task", "pipeline", "automation", "run", "integration"]);
export type ViewKind = z.infer<typeof viewKind>;

/** A field of a view: its value and the event that set it. `at` is the platform's time, ISO 8601. */
export const viewField = z.object({ value: z.unknown(), eventId: z.string(), at: z.string() });
export type ViewField = z.infer<typeof viewField>;

/** One document, task, pipeline, automation, automation run or integration, as the log has it. */
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
  /** The connection that an integration belongs to now; null where that can't be told, and for other kinds. */
  connection: z.nullable(linkedConnection),
  /** Ids of events that set a field and have left the log since: the field stays. */
  forgotten: z.array(z.string()),
  asOf: z.nullable(z.string()),
  /** Of a past moment, when the record has so many events that the oldest were left out. */
  partial: z.boolean(),
});
export type ViewDetail = z.infer<typeof viewDetail>;

export const viewQuery = z.extend(pageQuery, {
  state: z.optional(z.string().check(z.maxLength(100))),
  q: z.optional(z.string().check(z.maxLength(200))),
  parent: z.optional(z.string().check(z.maxLength(600))),
  /** Tasks on a stage, of an assignee or a team, and in work (`false`: completed). */
  stage: z.optional(z.string().check(z.maxLength(200))),
  assignee: z.optional(z.string().check(z.maxLength(400))),
  inWork: z.optional(z.stringbool()),
  /** Those whose last word is a failure. */
  failed: z.optional(z.stringbool()),
});
export type ViewQuery = z.infer<typeof viewQuery>;
export const viewPage = pageOf(viewRecord);

/** The moments at which a record may have changed, oldest first; `earlier` when there are more before them. */
export const viewMoments = z.object({
  data: z.array(
    z.object({
      at: z.string(),
      /** How many events were created in that second, and of which types, in words. */
      events: z.int(),
      titles: z.array(z.string()),
      /** One of them reports a failure. */
      failed: z.boolean(),
    }),
  ),
  earlier: z.boolean(),
});
export type ViewMoments = z.infer<typeof viewMoments>;
export type ViewMoment = ViewMoments["data"][number];
export const momentParams = z.object({ kind: viewKind, id: z.string().check(z.minLength(1)) });

/** `?asOf=` of a view: a moment of the platform's time, ISO 8601; what was created up to then counts. */
export const asOfQuery = z.object({ asOf: z.optional(z.string().check(z.maxLength(40))) });

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
      inWork: z.int(),
      completed: z.int(),
    }),
  ),
  /** The moment that it shows; null for now. `partial` as with a view of the past. */
  asOf: z.nullable(z.string()),
  partial: z.boolean(),
});
export type PipelineBoard = z.infer<typeof pipelineBoard>;

/** Tasks by hour, the last 24 of them, oldest first: those that came to each stage, and those that were completed. */
export const pipelineThroughput = z.object({
  since: z.string(),
  stages: z.array(z.object({ name: z.string(), arrived: z.array(z.int()) })),
  completed: z.array(z.int()),
});
export type PipelineThroughput = z.infer<typeof pipelineThroughput>;

import * as z from "zod/mini";
import { MAX_REPEATS } from "#lib/contracts/api/filter-value";
import { repeated } from "#lib/contracts/api/paging";
import { text } from "#lib/contracts/api/parameters";

/**
 * Fields that a source's field mapping can place in a payload, by name for people. `event.*` are the
 * envelope's own parts, looked for in the whole body; all others are looked for in `data`.
 */
export const MAPPABLE_FIELDS = {
  "event.id": "Event ID",
  "event.type": "Event type",
  "event.created": "Event time",
  "event.data": "Event data",
  documentId: "Document ID",
  documentName: "Document name",
  organizationId: "Organization ID",
  contentType: "Content type",
  sizeBytes: "Size in bytes",
  pages: "Pages",
  status: "Status",
  metadata: "Metadata",
  processingMs: "Processing time (ms)",
  taskId: "Task ID",
  taskTitle: "Task title",
  assignee: "Assignee",
  team: "Team",
  classification: "Classification",
  confidence: "Confidence",
  pipelineId: "Pipeline ID",
  pipelineName: "Pipeline name",
  stage: "Stage",
  fromStage: "Previous stage",
  automationId: "Automation ID",
  automationName: "Automation name",
  runId: "Run ID",
  trigger: "Trigger",
  durationMs: "Duration (ms)",
  integrationId: "Integration ID",
  provider: "Provider",
  account: "Account",
  expiresAt: "Token expiry",
  errorCode: "Error code",
  errorMessage: "Error message",
} as const;
export type MappableField = keyof typeof MAPPABLE_FIELDS;

/** The path that means the whole body: `event.data` of a payload without an envelope. */
export const WHOLE_BODY = "$";

const MAX_DEPTH = 12;

/** `document.ref`, `items.0.id`: keys joined by dots. */
const payloadPath = text(200).check(
  z.minLength(1),
  z.refine((path) => path.split(".").every((key) => key.trim() !== "" && key.trim() === key), {
    error: "must be keys joined by dots, such as document.ref",
  }),
  z.refine((path) => path.split(".").length <= MAX_DEPTH, { error: `must be at most ${MAX_DEPTH} keys deep` }),
);

/** Field -> the paths that are tried for it, in order, before those that Signalbox knows. */
export const fieldMapping = z.partialRecord(
  z.enum(Object.keys(MAPPABLE_FIELDS) as MappableField[]),
  z.array(payloadPath).check(z.minLength(1), z.maxLength(5)),
);
export type FieldMapping = z.infer<typeof fieldMapping>;

/** `GET /api/v1/sources/{id}/field-mapping`. `builtIn`: the paths that are tried without a mapping. */
export const sourceFieldMapping = z.object({
  source: z.object({ id: z.string(), name: z.string() }),
  mapping: fieldMapping,
  /** Null while the source never had one. */
  changedAt: z.nullable(z.string()),
  changedBy: z.nullable(z.string()),
  builtIn: z.record(z.string(), z.array(z.string())),
});
export type SourceFieldMapping = z.infer<typeof sourceFieldMapping>;

/** `PUT` of the same: the whole mapping; `{}` removes it. */
export const fieldMappingBody = z.strictObject({ mapping: fieldMapping });

/** Issues by their IDs. */
const issueIds = z.array(text(100).check(z.minLength(1))).check(z.minLength(1), z.maxLength(MAX_REPEATS));

/**
 * `POST …/field-mapping/preview`: tried on the newest stored events, of one type or of all, and on the failed events of
 * `issues`. Nothing is written.
 */
export const fieldMappingPreviewBody = z.strictObject({
  mapping: fieldMapping,
  type: z.optional(text(200)),
  issues: z.optional(issueIds),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
});

/** Part of one event that is read another way: a record's ID (`field` is `id`) or one of its fields; null where nothing is read. */
const fieldMappingChange = z.object({ kind: z.string(), field: z.string(), before: z.unknown(), after: z.unknown() });

const previewedEvent = z.object({
  eventId: z.string(),
  type: z.string(),
  receivedAt: z.string(),
  changes: z.array(fieldMappingChange),
  /** Why it can't be applied, with today's mapping and with this one; null where it can. */
  failureBefore: z.nullable(z.string()),
  failureAfter: z.nullable(z.string()),
});
export type PreviewedEvent = z.infer<typeof previewedEvent>;

/** A quarantined request that had verified and was not an event: what it is with this mapping. */
const previewedRequest = z.object({
  id: z.string(),
  receivedAt: z.string(),
  eventId: z.nullable(z.string()),
  type: z.nullable(z.string()),
  /** Why it is no event with this mapping; null where it is one. */
  failureAfter: z.nullable(z.string()),
});

export const fieldMappingPreview = z.object({
  /** With `issues`: events that are applied now, of the types of the failed ones; those that would change come first. */
  events: z.array(previewedEvent),
  /** Events that were tried, of which `events` are some. */
  tried: z.int(),
  /** Of these events: read another way, applied where they failed, and failing where they were applied. */
  changed: z.int(),
  fixed: z.int(),
  broken: z.int(),
  /** With `issues`: the newest 500 of their failed events that were tried, and how many of them would be applied. */
  failing: z.nullable(z.object({ tried: z.int(), fixed: z.int(), events: z.array(previewedEvent) })),
  requests: z.array(previewedRequest),
  /** Of these requests: events with this mapping. */
  readable: z.int(),
  /** Paths that these payloads have in `data` (in the whole body: of the requests), with an example of each. */
  paths: z.array(z.object({ path: z.string(), example: z.string() })),
  /** The types of the newest events, whatever type was asked for. */
  types: z.array(z.string()),
});
export type FieldMappingPreview = z.infer<typeof fieldMappingPreview>;

/** The answer to a change: what is left to do, because history is not read again by itself. */
export const fieldMappingChanged = z.object({
  mapping: fieldMapping,
  /** Failed events of the source, which a re-delivery reads with the new mapping; at most 1,001 counted. */
  failedEvents: z.int(),
  /** Quarantined requests of the source that had verified and are events now, of the newest 500. */
  releasable: z.int(),
});
export type FieldMappingChanged = z.infer<typeof fieldMappingChanged>;

/** `GET …/field-mapping/suggestions`: of these issues, or of all open ones of the source. */
export const fieldMappingSuggestionsQuery = z.object({ issue: repeated(text(100)) });

/** A path of `data` that may hold the ID: events that have a value there, and how many of the values are IDs of known records. */
const suggestedPath = z.object({ path: z.string(), found: z.int(), known: z.int(), example: z.string() });

export const fieldMappingSuggestions = z.object({
  source: z.object({ id: z.string(), name: z.string() }),
  /** The issues of events that lack an ID. */
  issues: z.array(z.string()),
  /** The IDs that are missing, those of the most events first. */
  fields: z.array(
    z.object({
      field: z.enum(Object.keys(MAPPABLE_FIELDS) as MappableField[]),
      label: z.string(),
      issues: z.array(z.string()),
      /** Failed events looked at (the newest 500), and how many of them the paths find an ID in. */
      events: z.int(),
      found: z.int(),
      /** Empty where no path is likely. */
      paths: z.array(suggestedPath),
      /** Less likely ones. */
      others: z.array(suggestedPath),
    }),
  ),
  /** The present mapping with the suggested paths in front. */
  mapping: fieldMapping,
});
export type FieldMappingSuggestions = z.infer<typeof fieldMappingSuggestions>;

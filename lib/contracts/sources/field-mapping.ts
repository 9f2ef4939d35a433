import * as z from "zod/mini";
import { MAX_REPEATS } from "#lib/contracts/api/filters";
import { repeated, text } from "#lib/contracts/api/parameters";
import { MAPPABLE_FIELDS, type MappableField } from "./mappable-fields.ts";

/** The whole body: `event.data` of a payload without an envelope. */
export const WHOLE_BODY = "$";

const MAX_DEPTH = 12;

/** Keys joined by dots: `document.ref`, `items.0.id`. */
const payloadPath = text(200).check(
  z.minLength(1),
  z.refine((path) => path.split(".").every((key) => key.trim() !== "" && key.trim() === key), {
    error: "must be keys joined by dots, such as document.ref",
  }),
  z.refine((path) => path.split(".").length <= MAX_DEPTH, { error: `must be at most ${MAX_DEPTH} keys deep` }),
);

/** Paths that are tried for a field, in order, before the built-in ones. */
export const fieldMapping = z.partialRecord(
  z.enum(Object.keys(MAPPABLE_FIELDS) as MappableField[]),
  z.array(payloadPath).check(z.minLength(1), z.maxLength(5)),
);
export type FieldMapping = z.infer<typeof fieldMapping>;

/** `builtIn`: the paths that are tried without a mapping. */
export const sourceFieldMapping = z.object({
  source: z.object({ id: z.string(), name: z.string() }),
  mapping: fieldMapping,
  changedAt: z.nullable(z.string()),
  changedBy: z.nullable(z.string()),
  builtIn: z.record(z.string(), z.array(z.string())),
});
export type SourceFieldMapping = z.infer<typeof sourceFieldMapping>;

/** Replaces the whole mapping; `{}` removes it. */
export const fieldMappingBody = z.strictObject({ mapping: fieldMapping });

const issueIds = z.array(text(100).check(z.minLength(1))).check(z.minLength(1), z.maxLength(MAX_REPEATS));

/** Tries it on the newest stored events, of one type or all, and on the failed events of `issues`. Nothing is written. */
export const fieldMappingPreviewBody = z.strictObject({
  mapping: fieldMapping,
  type: z.optional(text(200)),
  issues: z.optional(issueIds),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
});

/** Part of an event that is read differently: a record's ID (`field` is `id`) or a field; null if nothing is read. */
const fieldMappingChange = z.object({ kind: z.string(), field: z.string(), before: z.unknown(), after: z.unknown() });

const previewedEvent = z.object({
  eventId: z.string(),
  type: z.string(),
  receivedAt: z.string(),
  changes: z.array(fieldMappingChange),
  failureBefore: z.nullable(z.string()),
  failureAfter: z.nullable(z.string()),
});
export type PreviewedEvent = z.infer<typeof previewedEvent>;

/** A quarantined request that verified but was no event, as read with this mapping. */
const previewedRequest = z.object({
  id: z.string(),
  receivedAt: z.string(),
  eventId: z.nullable(z.string()),
  type: z.nullable(z.string()),
  failureAfter: z.nullable(z.string()),
});

const triedOf = z.object({ tried: z.int(), total: z.int() });

export const fieldMappingPreview = z.object({
  /** With `issues`: applied events of the types of the failed ones; those that would change come first. */
  events: z.array(previewedEvent),
  tried: z.int(),
  /** Of these events: read differently, applied instead of failed, and failed instead of applied. */
  changed: z.int(),
  fixed: z.int(),
  broken: z.int(),
  /** With `issues`: of `total` failed events, counted up to 10,001, the newest `tried` (at most 500), of which `fixed` would be applied. */
  failing: z.nullable(z.object({ tried: z.int(), fixed: z.int(), total: z.int(), events: z.array(previewedEvent) })),
  /** The newest quarantined requests that had verified and are no events. `quarantined`: of `total`, counted up to 10,001, the newest
   * `tried` (at most 500); `readable` of these are events with this mapping. */
  requests: z.array(previewedRequest),
  quarantined: triedOf,
  readable: z.int(),
  /** Paths in `data` of these payloads (in the whole body for requests), each with an example. */
  paths: z.array(z.object({ path: z.string(), example: z.string() })),
  /** Types of the newest events, whatever type was requested. */
  types: z.array(z.string()),
});
export type FieldMappingPreview = z.infer<typeof fieldMappingPreview>;

/** Past events are not read again automatically: the counts say what is left to do. */
export const fieldMappingChanged = z.object({
  mapping: fieldMapping,
  /** Failed events of the source, counted up to 10,001; a re-delivery reads them with the new mapping. */
  failedEvents: z.int(),
  /** As in the preview; `releasable` of those tried are events now. */
  quarantined: triedOf,
  releasable: z.int(),
});
export type FieldMappingChanged = z.infer<typeof fieldMappingChanged>;

export const fieldMappingSuggestionsQuery = z.object({ issue: repeated(text(100)) });

/** Path of `data` that may hold the ID. `found`: events with a value there; `known`: values that are IDs of known records. */
const suggestedPath = z.object({ path: z.string(), found: z.int(), known: z.int(), example: z.string() });

export const fieldMappingSuggestions = z.object({
  source: z.object({ id: z.string(), name: z.string() }),
  issues: z.array(z.string()),
  fields: z.array(
    z.object({
      field: z.enum(Object.keys(MAPPABLE_FIELDS) as MappableField[]),
      label: z.string(),
      issues: z.array(z.string()),
      /** Failed events checked, the newest 500 of `total`; `found` is how many of them have an ID at these paths. */
      events: z.int(),
      /** Counted up to 10,001. */
      total: z.int(),
      found: z.int(),
      paths: z.array(suggestedPath),
      others: z.array(suggestedPath),
    }),
  ),
  mapping: fieldMapping,
});
export type FieldMappingSuggestions = z.infer<typeof fieldMappingSuggestions>;

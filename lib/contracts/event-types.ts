import * as z from "zod/mini";
import { idText, pageOf, pageQuery, text } from "./api/parameters.ts";
import { operation } from "./operations.ts";

/** `dataSchema` is the JSON Schema of `data`; null if the platform does not document it. */
export const eventTypeInfo = z.object({
  type: z.string(),
  title: z.string(),
  meaning: z.string(),
  subject: z.string(),
  reportsFailure: z.boolean(),
  dataSchema: z.nullable(z.record(z.string(), z.unknown())),
});
export type EventTypeInfo = z.infer<typeof eventTypeInfo>;

export const eventTypeList = pageOf(eventTypeInfo);
export type EventTypeList = z.infer<typeof eventTypeList>;

// Event types: what a source really sends, learnt from its events. Paths are those of the search, with `[]` for any element of a
// list and `*` where keys are data: `data.items[].price`, `data.metadata.*`. A key with other signs than letters, digits, `_`, `-`, `$`, `:`
// and `/` is written as a JSON string: `data."first.name"`.

/** unseen: documented, and no event of it was received. not_learnt: the workspace has 500 others. */
export const EVENT_TYPE_STATES = ["unseen", "observed", "pinned", "not_learnt"] as const;
const eventTypeState = z.enum(EVENT_TYPE_STATES);
export type EventTypeState = z.infer<typeof eventTypeState>;

/** breaking: a field vanished, has another type, null, or a value that a pinned schema does not list. warning: optional now, another format,
 * size, volume. info: a new field. */
export const DRIFT_SEVERITIES = ["breaking", "warning", "info"] as const;
const driftSeverity = z.enum(DRIFT_SEVERITIES);
export type DriftSeverity = z.infer<typeof driftSeverity>;

const openDrifts = z.object({ breaking: z.int(), warning: z.int(), info: z.int() });

/** A documented type that no event had has no `id`. */
export const eventTypeItem = z.extend(eventTypeInfo, {
  /** Null while no event of it was received. */
  id: z.nullable(z.string()),
  /** Name of the source. */
  source: z.nullable(z.string()),
  /** What the source's template tells apart within a type, and `fetched` for events that were fetched instead of received. */
  variant: z.nullable(z.string()),
  state: eventTypeState,
  /** First deliveries. */
  events: z.int(),
  fields: z.int(),
  firstEventAt: z.nullable(z.string()),
  lastEventAt: z.nullable(z.string()),
  /** When its schema last gained a field, type, format or value. */
  lastChangeAt: z.nullable(z.string()),
  /** Open drifts. */
  drift: openDrifts,
  /** Its newest version; null before one was published or accepted. */
  version: z.nullable(z.int()),
});
export type EventTypeItem = z.infer<typeof eventTypeItem>;

export const eventTypeItems = pageOf(eventTypeItem);
export type EventTypeItems = z.infer<typeof eventTypeItems>;

/** An event of the log, as long as the retention keeps it. `at`: when it was received. */
export const eventPlace = z.object({ id: z.string(), at: z.string() });
export type EventPlace = z.infer<typeof eventPlace>;

export const JSON_TYPES = ["null", "boolean", "number", "string", "object", "array"] as const;
const jsonType = z.enum(JSON_TYPES);
export type JsonType = z.infer<typeof jsonType>;

/** Of texts, but `int` and `decimal` of numbers. `id`: a prefix and random characters (`cus_NffrFeUfNV2Hib`). digits: 6 or more. */
export const FIELD_FORMATS = [
  "uuid",
  "date-time",
  "date",
  "email",
  "url",
  "phone",
  "id",
  "digits",
  "decimal-text",
  "empty",
  "text",
  "int",
  "decimal",
] as const;
const fieldFormat = z.enum(FIELD_FORMATS);
export type FieldFormat = z.infer<typeof fieldFormat>;

const counted = { count: z.int(), first: eventPlace, last: eventPlace };

/** What people said of a field: it outlives relearning. */
const fieldSettings = z.object({ ignored: z.boolean(), map: z.boolean(), notEnumeration: z.boolean() });
export type FieldSettings = z.infer<typeof fieldSettings>;

export const schemaField = z.object({
  path: z.string(),
  /** Path of the field that holds it; null for `data`. */
  parent: z.nullable(z.string()),
  /** Its last part: a key, `[]` or `*`. */
  key: z.string(),
  depth: z.int(),
  /** How often its parent was looked at: for an element, all elements. */
  seen: z.int(),
  /** How often it was there, as null too. In all: `present` = `seen`. */
  present: z.int(),
  types: z.array(z.object({ type: jsonType, ...counted })),
  formats: z.array(z.object({ format: fieldFormat, ...counted })),
  /** Of texts in characters, and of lists in elements. */
  length: z.nullable(z.object({ min: z.int(), max: z.int() })),
  elements: z.nullable(z.object({ min: z.int(), max: z.int() })),
  /** As digits; null where numbers may tell of a person: 6 digits and more, or a field named like one. */
  number: z.nullable(z.object({ min: z.string(), max: z.string() })),
  /** Null unless it looks like an enumeration; sorted. */
  values: z.nullable(z.array(z.object({ value: z.string(), ...counted }))),
  settings: fieldSettings,
  first: eventPlace,
  last: eventPlace,
});
export type SchemaField = z.infer<typeof schemaField>;

/** optional: absent in part of the events, where it was in all. volume: events of the type fell to a tenth or rose tenfold. */
export const DRIFT_KINDS = ["vanished", "type", "null", "optional", "value", "format", "size", "volume"] as const;
const driftKind = z.enum(DRIFT_KINDS);
export type DriftKind = z.infer<typeof driftKind>;

/** recovered: the old shape was back for 200 events. accepted: a person said that this is how it is now. */
const driftState = z.enum(["open", "recovered", "accepted", "ignored"]);
export type DriftState = z.infer<typeof driftState>;

export const schemaDrift = z.object({
  id: z.string(),
  kind: driftKind,
  severity: driftSeverity,
  state: driftState,
  path: z.string(),
  /** In words: `in all of 1,204 events`, `string`. */
  expected: z.string(),
  observed: z.string(),
  /** Events of different records and minutes that have it, up to 32. */
  count: z.int(),
  firstEvent: z.nullable(eventPlace),
  /** The last event that had the old shape. */
  lastGoodEvent: z.nullable(eventPlace),
  openedAt: z.string(),
  closedAt: z.nullable(z.string()),
  closedBy: z.nullable(z.string()),
  /** Null for info. */
  issueId: z.nullable(z.string()),
});
export type SchemaDrift = z.infer<typeof schemaDrift>;

/** `hash` is the SHA-256 of the version's canonical JSON Schema. */
export const schemaVersion = z.object({
  number: z.int(),
  hash: z.string(),
  /** accepted: made by accepting drift. published: by a person. */
  reason: z.enum(["accepted", "published"]),
  fields: z.int(),
  createdAt: z.string(),
  createdBy: z.nullable(z.string()),
});
export type SchemaVersion = z.infer<typeof schemaVersion>;

/** A pinned schema is strict: each deviation counts, the first opens the issue. `version` null: pinned from a JSON Schema (`file`). */
export const schemaPin = z.object({
  version: z.nullable(z.int()),
  /** Name of the file that it came from. */
  file: z.nullable(z.string()),
  hash: z.string(),
  pinnedAt: z.string(),
  pinnedBy: z.nullable(z.string()),
  violations: z.array(
    z.object({ path: z.string(), expected: z.string(), observed: z.string(), count: z.int(), firstEvent: z.nullable(eventPlace) }),
  ),
});
export type SchemaPin = z.infer<typeof schemaPin>;

export const eventTypeDetail = z.extend(eventTypeItem, {
  id: z.string(),
  /** In the order of a tree, keys sorted; the first is `data`. */
  tree: z.array(schemaField),
  /** True where fields were left out: 400 are kept. */
  fieldsLeftOut: z.boolean(),
  /** Events whose fields were all read; the others were looked at for their shape only. */
  walked: z.int(),
  drifts: z.array(schemaDrift),
  versions: z.array(schemaVersion),
  pin: z.nullable(schemaPin),
  /** The relearn operation that waits or runs, or ran last. */
  relearn: z.nullable(operation),
});
export type EventTypeDetail = z.infer<typeof eventTypeDetail>;

export const SCHEMA_CHANGES = [
  "field_appeared",
  "type_appeared",
  "format_appeared",
  "value_appeared",
  "became_map",
  "drift_opened",
  "drift_recovered",
  "drift_accepted",
  "version_published",
  "pinned",
  "unpinned",
  "field_changed",
  "relearnt",
] as const;
const schemaChangeKind = z.enum(SCHEMA_CHANGES);

/** What the schema saw for the first time, and what people did. `detail`: the type, format, value or words. */
export const schemaChange = z.object({
  id: z.string(),
  at: z.string(),
  kind: schemaChangeKind,
  path: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  event: z.nullable(eventPlace),
  by: z.nullable(z.string()),
});
export type SchemaChange = z.infer<typeof schemaChange>;

/** `event`: changes that this event brought: "first event with `data.risk`". */
export const schemaHistoryQuery = z.extend(pageQuery, { path: z.optional(text(2000)), event: z.optional(idText) });
export const schemaHistoryPage = pageOf(schemaChange);

export const eventTypeQuery = z.object({ source: z.optional(text(100)), type: z.optional(text(200)) });

/** "This is how it is now": without `drifts`, all that are open. Makes a version. */
export const acceptDriftBody = z.object({ drifts: z.optional(z.array(idText).check(z.minLength(1), z.maxLength(100))) });

/** POST /event-types/{id}/ignore: what is left out stays. `ignored`: no drift of the field; `map`: its keys are data; `notEnumeration`: its
 * values are not kept. */
export const fieldSettingsBody = z.object({
  path: text(2000).check(z.minLength(1)),
  ignored: z.optional(z.boolean()),
  map: z.optional(z.boolean()),
  notEnumeration: z.optional(z.boolean()),
});

/** POST /event-types/{id}/publish. Without a change since the newest version, that one is the answer. */
export const publishedVersion = z.object({ version: schemaVersion, created: z.boolean() });

/** POST /event-types/{id}/pin: a version, a JSON Schema of `data` (with the name of its `file`), or neither: `pinned: false` ends the pin. */
export const pinBody = z.object({
  pinned: z._default(z.boolean(), true),
  version: z.optional(z.int().check(z.minimum(1))),
  jsonSchema: z.optional(z.record(z.string(), z.unknown())),
  file: z.optional(text(200)),
});

/** POST /event-types/{id}/relearn answers 202 with the operation; it is stopped and resumed as any other. */
export const relearnStarted = operation;

/** GET /event-types/{id}/schema?format=&version=&from=. The observed schema unless a version is asked for, or `from=pinned`. */
export const SCHEMA_FORMATS = ["json-schema", "typescript", "zod"] as const;
export const schemasExportQuery = z.object({
  format: z._default(z.enum(SCHEMA_FORMATS), "json-schema"),
  from: z._default(z.enum(["observed", "pinned"]), "observed"),
  source: z.optional(text(100)),
});

export const schemaExportQuery = z.object({
  format: z._default(z.enum(SCHEMA_FORMATS), "json-schema"),
  from: z._default(z.enum(["observed", "pinned"]), "observed"),
  version: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
});

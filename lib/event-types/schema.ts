import type { FieldFormat, JsonType } from "#lib/contracts/event-types";

// The stored schema of an event type. Everything in it is a sum, a minimum, a maximum or a bounded union, so that what several workers saw
// adds up to the same in any order.

/** An event: ID, when it was received (milliseconds), position in the log. Compared by the last two. */
export type EventRef = readonly [id: string, at: number, seq: number];

export type Occurrences = { n: number; first: EventRef; last: EventRef };

/** Smallest and largest. */
export type Bounds = readonly [min: number, max: number];

export type FieldValue = Occurrences & {
  /** Hashes of the records whose events have it; one `*` for three and more. */
  records: string[];
  /** The value itself: only once its field is an enumeration and 3 records have it. */
  text?: string;
};

export type FieldStats = {
  /** How often it was there, null counted. Its parent was looked into `objects` times: it was absent in that - n. */
  n: number;
  /** How often its keys were looked at. Less than `types.object.n` where most events are only looked at for their shape. */
  objects?: number;
  types: Partial<Record<JsonType, Occurrences>>;
  formats: Partial<Record<FieldFormat, Occurrences>>;
  /** Characters of texts, elements of lists, digits before the point of numbers. */
  length?: Bounds;
  elements?: Bounds;
  digits?: Bounds;
  /** As digits; absent where it may tell of a person. */
  number?: readonly [min: string, max: string];
  /** Prefixes of IDs (`cus`), at most four. */
  prefixes?: string[];
  /** By keyed hash, at most 12; null once there were more, or one that no enumeration has. */
  values: Record<string, FieldValue> | null;
  first: EventRef;
  last: EventRef;
};

/** `data` is the root, `data.a` a key of it, `data.a[]` any element, `data.a.*` any entry of a map (see lib/event-types/paths.ts). */
export type FieldPath = string;

export type SchemaTree = {
  /** Events that taught, walked or looked at. */
  events: number;
  walked: number;
  /** Bodies by length: floor(8 * log2(bytes)) -> events. */
  sizes: Record<string, number>;
  /** True when fields were left out: 400 are kept. */
  full: boolean;
  /** Fields whose keys are data: what was below them is below `*`. Sorted. */
  maps: FieldPath[];
  fields: Record<FieldPath, FieldStats>;
};

export const ROOT = "data";

export const MAX_FIELDS = 400;
export const MAX_DEPTH = 8;
export const MAX_KEYS = 200;
export const MAX_ELEMENTS = 8;
export const MAX_VALUES = 12;
export const MAX_VALUE_LENGTH = 40;
export const MAX_VARIANTS = 20;
export const MAX_SCHEMAS = 500;
/** A field with fewer values seen is no enumeration yet. */
export const ENUM_AFTER = 200;
/** Events, and records, that each value of an enumeration was seen in. */
export const ENUM_RECORDS = 3;

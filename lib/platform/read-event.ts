import { createHash } from "node:crypto";
import { z } from "zod";
import { refusalWords } from "#lib/contracts/api/rejected-values";
import { isExactNumber, isNumber, isObject } from "#lib/contracts/exact-json";
import { doubleOf, idText, isDotSegment } from "#lib/contracts/exact-numbers";
import { type FieldMapping, WHOLE_BODY } from "#lib/contracts/sources/field-mapping";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { decodeKept, type Undecoded, undecodedReading } from "./content-coding.ts";
import { issueWords } from "./event-catalogue.ts";
import { inMicroseconds } from "./event-time.ts";
import { NO_MAPPING, valueAt } from "./field-names.ts";
import { parseJson, readPayload } from "./payload.ts";
import { keptQuery, MASKED } from "./schemes/sender-requests.ts";
import { TEMPLATES } from "./schemes/templates.ts";

/** A verified request. `query`: the part after the `?` of its URL. */
type ReceivedRequest = {
  body: Uint8Array;
  headers: Record<string, string | string[] | undefined>;
  query: string;
  receivedAt: Date;
};

export type RequestReading = { outcome: "events"; events: ReadEvent[] } | Exclude<EnvelopeReading, { outcome: "envelope" }>;
type ReadEvent = { envelope: Envelope; body: Uint8Array };

/** Returns all of a request's events, or none. Without a place for the ID it is the body's SHA-256: equal bodies are one event. */
export function readEvents(request: ReceivedRequest, { event, mapping }: SourceReading): RequestReading {
  if (event?.items !== undefined) return readItems(request, event, event.items);
  const { body } = request;
  const reading = event === null ? readEnvelope(body, mapping) : readSingle(request, event);
  return reading.outcome === "envelope" ? { outcome: "events", events: [{ envelope: reading.envelope, body }] } : reading;
}

function readSingle(request: ReceivedRequest, event: EventReading): EnvelopeReading {
  const parsed = readPayload(request.body, event);
  if (!parsed.ok) return { outcome: "malformed_json", detail: parsed.detail };
  return envelopeOf(partsOf({ entry: parsed.value, outer: parsed.value, body: parsed.value }, lookedInto(request), event), event);
}

function envelopeOf(parts: Record<string, unknown>, event: EventReading): EnvelopeReading {
  const found = parsedEnvelope(parts);
  return found.success
    ? { outcome: "envelope", envelope: found.data }
    : { outcome: "invalid_envelope", detail: `${issueWords(found.error).join("; ")}. Looked for it in: ${placesOf(event)}` };
}

/** A request is one commit: more would delay others. */
const MAX_ITEMS = 1000;

function readItems(request: ReceivedRequest, event: EventReading, path: string): RequestReading {
  const isOther = event.body !== undefined || event.field !== undefined;
  const parsed = isOther ? readPayload(request.body, event) : parseJson(request.body);
  if (!parsed.ok) return { outcome: "malformed_json", detail: parsed.detail };
  const items = entriesAt(parsed.value, path, event.body === "xml");
  if (items === null || items.length === 0)
    return { outcome: "invalid_envelope", detail: `There is no list with entries. Looked for it in: ${path}` };
  if (items.length > MAX_ITEMS)
    return { outcome: "invalid_envelope", detail: `The list has ${items.length} entries: at most ${MAX_ITEMS} are read.` };
  const bodies = bodiesOf(items.map(({ entry }) => entry));
  if (bodies === null) return { outcome: "invalid_envelope", detail: "The list is nested too deeply." };
  const events: ReadEvent[] = [];
  const whole = lookedInto(request);
  for (const [index, body] of bodies.entries()) {
    const item = items[index] ?? { entry: undefined, outer: undefined };
    const reading = envelopeOf(partsOf({ ...item, body: parsed.value }, whole, event, index + 1), event);
    if (reading.outcome !== "envelope") return { ...reading, detail: `Entry ${index + 1}: ${reading.detail}` };
    events.push({ envelope: reading.envelope, body });
  }
  return { outcome: "events", events };
}

type Entry = { entry: unknown; outer: unknown };

/** Returns the entries of a list, or of each list in a list (`a[].b`); null if there is no list. @param single XML doesn't tell one from a list */
function entriesAt(payload: unknown, path: string, single: boolean): Entry[] | null {
  const [first = "", ...inner] = path.replace(/\[\]$/, "").split("[].");
  const outermost = listAt(payload, first, single);
  if (outermost === null) return null;
  let entries = outermost.map((entry): Entry => ({ entry, outer: payload }));
  for (const step of inner)
    entries = entries.flatMap(({ entry: outer }) => (listAt(outer, step, single) ?? []).map((entry) => ({ entry, outer })));
  return entries;
}

function listAt(payload: unknown, path: string, single: boolean): unknown[] | null {
  const found = path === WHOLE_BODY ? payload : valueAt(payload, path);
  if (Array.isArray(found)) return found;
  return single && isObject(found) ? [found] : null;
}

/** Serializes each entry; null if one is nested too deeply. */
function bodiesOf(items: unknown[]): Buffer[] | null {
  try {
    return items.map((item) => Buffer.from(JSON.stringify(item)));
  } catch {
    return null;
  }
}

/** Reads a body that can't be decoded as it came: some senders name a coding and send plain text.
 * @param maxBytes most bytes that a compressed body is decoded to, WEBHOOK_MAX_BYTES unless given */
export function readKept(
  { body, headers, receivedAt }: { body: Uint8Array; headers: Record<string, string>; receivedAt: Date },
  reading: SourceReading,
  maxBytes?: number,
): RequestReading {
  const decoded = decodeKept(body, headers, maxBytes);
  const read = readEvents({ body: decoded?.ok ? decoded.body : body, headers, query: keptQuery(headers), receivedAt }, reading);
  return read.outcome === "malformed_json" && decoded?.ok === false ? undecodedReading(decoded.why) : read;
}

/** Reads the data of an event of the log; its ID, type and time were read on receipt. */
export function readStored(body: Uint8Array, { event, mapping }: SourceReading): DataReading {
  if (event === null) {
    const reading = readEnvelope(body, mapping);
    return reading.outcome === "envelope" ? { outcome: "data", data: reading.envelope.data } : reading;
  }
  const parsed = readPayload(body, event);
  return parsed.ok ? { outcome: "data", data: dataOf(parsed.value, event) } : { outcome: "malformed_json", detail: parsed.detail };
}

export const MAX_ABOUT = 120;

/** What displays as a break or changes the direction of what follows. */
const UNSHOWN = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns in one line what an event of the log is about; undefined without a text all of whose places have a value. */
export function aboutOf(body: Uint8Array, { event }: SourceReading): string | undefined {
  if (event?.about === undefined) return undefined;
  const parsed = readPayload(body, event);
  if (!parsed.ok) return undefined;
  for (const text of event.about) {
    const about = filledIn(text, parsed.value);
    if (about !== undefined) return about.length > MAX_ABOUT ? `${about.slice(0, MAX_ABOUT - 1).replace(HALF, "")}…` : about;
  }
  return undefined;
}

/** First half of a pair of UTF-16. */
const HALF = /[\ud800-\udbff]$/;

function filledIn(text: string, payload: unknown): string | undefined {
  let missing = false;
  const filled = text.replaceAll(/\{([^}]*)\}/g, (_, place: string) => {
    const value = valueAt(payload, place);
    // Longer ones are cut anyway.
    const shown = typeof value === "string" ? inOneLine(value.slice(0, 10 * MAX_ABOUT)) : isNumber(value) ? String(value) : "";
    missing ||= shown === "";
    return shown;
  });
  return missing ? undefined : inOneLine(filled).toWellFormed();
}

const inOneLine = (text: string): string => text.replaceAll(UNSHOWN, " ").trim();

type DataReading = { outcome: "data"; data: Record<string, unknown> } | Exclude<EnvelopeReading, { outcome: "envelope" }>;

/** A request with values that its entries share, each computed once and only if a place needs it. */
type LookedInto = { request: ReceivedRequest; digest: () => string; query: () => URLSearchParams };

function lookedInto(request: ReceivedRequest): LookedInto {
  let digest: string | undefined;
  let query: URLSearchParams | undefined;
  return {
    request,
    digest: () => {
      digest ??= createHash("sha256").update(request.body).digest("hex");
      return digest;
    },
    query: () => {
      query ??= new URLSearchParams(request.query);
      return query;
    },
  };
}

/** What places are paths of: the event's own part of the body, the entry around its list, and the whole body. */
type Read = Entry & { body: unknown };

/** Reads the event's parts. `entry`, from 1, makes an ID of the whole request the entry's own. */
function partsOf(read: Read, whole: LookedInto, event: EventReading, entry?: number): Record<string, unknown> {
  const suffix = entry === undefined ? "" : `#${entry}`;
  const first = <T>(paths: readonly string[] = [], take: (value: unknown) => T | undefined): T | undefined => {
    for (const path of paths) {
      const value = take(resolve(path, read, whole, suffix));
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    id: first(event.id, idText) ?? `sha256:${whole.digest()}${suffix}`,
    type: first(event.type, idText),
    created: first(event.created, secondsOf) ?? Math.floor(whole.request.receivedAt.getTime() / 1000),
    data: dataOf(read.entry, event),
  };
}

/** Wraps anything but an object in `value`. */
function dataOf(payload: unknown, { data }: EventReading): Record<string, unknown> {
  const found = data === undefined ? payload : (valueAt(payload, data) ?? payload);
  return isObject(found) ? found : { value: found };
}

/** Returns the value at a place; text with places in braces is undefined if one of them is. */
function resolve(path: string, read: Read, whole: LookedInto, suffix: string): unknown {
  if (path === NEW_ID) return `${whole.request.receivedAt.getTime()}-${whole.digest().slice(0, 16)}${suffix}`;
  if (path.startsWith("text:")) return path.slice("text:".length);
  if (!path.includes("{")) return valueIn(path, read, whole);
  let missing = false;
  const joined = path.replaceAll(/\{([^}]*)\}/g, (_, place: string) => {
    const value = idText(valueIn(place, read, whole));
    missing ||= value === undefined;
    return value ?? "";
  });
  return missing ? undefined : joined;
}

/** A new ID for each request: equal bodies are different events. */
const NEW_ID = "receipt:id";

function valueIn(place: string, read: Read, { request, query }: LookedInto): unknown {
  if (place.startsWith("header:")) return headerOf(request.headers, place.slice("header:".length).toLowerCase()) ?? undefined;
  if (place.startsWith("query:")) return query().get(place.slice("query:".length)) ?? undefined;
  if (place.startsWith("outer:")) return valueAt(read.outer, place.slice("outer:".length));
  if (place.startsWith("body:")) return valueAt(read.body, place.slice("body:".length));
  return valueAt(read.entry, place);
}

const headerOf = (headers: ReceivedRequest["headers"], name: string): string | null => {
  const value = headers[name];
  return typeof value === "string" && value !== "" && value !== MASKED ? value : null;
};

const placesOf = ({ id, type, created }: EventReading) => [...(id ?? []), ...(type ?? []), ...(created ?? [])].join(", ");

/** Makes an ID's schema: PostgreSQL's text can't hold U+0000, jsonb no lone surrogate, and a URL's path no `.` and `..`. */
const identifier = (max: number) =>
  z.string().min(1).max(max).refine(isStorable, { error: "is . or .., or contains characters that identifiers can't contain" });

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed() && !isDotSegment(text);
}

/** docs/platform.md, "Webhook event envelope". ASSUMPTION: IDs have at most 400 characters, because they are index keys. */
export const envelopeSchema = z.looseObject({
  id: identifier(400),
  type: identifier(200),
  /** Unix seconds; `eventSeconds` reads other units. */
  created: z.int(),
  data: z.record(z.string(), z.unknown()),
});

const parsedEnvelope = (value: unknown) => envelopeSchema.safeParse(value, { error: refusalWords });

export type Envelope = z.infer<typeof envelopeSchema>;

export type EnvelopeReading =
  | { outcome: "envelope"; envelope: Envelope }
  | { outcome: "malformed_json"; detail: string; undecoded?: Undecoded }
  | { outcome: "invalid_envelope"; detail: string };

/** True if `envelopeSchema` takes the value unchanged. Faster: every event of the platform is read by it. */
export function isEnvelope(value: unknown): value is Envelope {
  if (!isPlain(value)) return false;
  const { id, type, created, data } = value;
  return isIdentifier(id, 400) && isIdentifier(type, 200) && Number.isSafeInteger(created) && isPlain(data);
}

/** True for an object without `__proto__`, which the schema leaves out of its result. */
const isPlain = (value: unknown): value is Record<string, unknown> => isObject(value) && !Object.hasOwn(value, "__proto__");

const isIdentifier = (text: unknown, max: number): boolean =>
  typeof text === "string" && text !== "" && text.length <= max && isStorable(text);

/** Reads the documented envelope first: a mapping never changes the ID or time of an event that is readable without it. */
export function readEnvelope(body: Uint8Array, mapping: FieldMapping): EnvelopeReading {
  const json = parseJson(body);
  if (!json.ok) return { outcome: "malformed_json", detail: json.detail };
  if (isEnvelope(json.value)) return { outcome: "envelope", envelope: json.value };
  const parsed = parsedEnvelope(withDouble(json.value));
  if (parsed.success) return { outcome: "envelope", envelope: parsed.data };
  const mapped = PARTS.some((part) => mapping[`event.${part}`]) ? parsedEnvelope(mappedParts(json.value, mapping)) : parsed;
  if (mapped.success) return { outcome: "envelope", envelope: mapped.data };
  return { outcome: "invalid_envelope", detail: issueWords(mapped.error).join("; ") };
}

/** Reads a time like `1795880000.0` as whole, and nanoseconds. */
const withDouble = (value: unknown): unknown =>
  isObject(value) && isExactNumber(value.created) ? { ...value, created: inMicroseconds(Number(value.created)) } : value;

const PARTS = ["id", "type", "created", "data"] as const;

/** Reads each part from the first of its mapped paths that fits, else from its documented place. */
function mappedParts(body: unknown, mapping: FieldMapping): Record<string, unknown> {
  const part = <T>(name: (typeof PARTS)[number], read: (value: unknown) => T | undefined): T | unknown => {
    const paths = mapping[`event.${name}`];
    if (!paths) return valueAt(body, name);
    const found = paths.map((path) => read(path === WHOLE_BODY ? body : valueAt(body, path))).find((value) => value !== undefined);
    return found ?? read(valueAt(body, name));
  };
  return {
    id: part("id", idText),
    type: part("type", (value) => (typeof value === "string" ? value : undefined)),
    created: part("created", secondsOf),
    data: part("data", (value) => (isObject(value) ? value : undefined)),
  };
}

/** Reads a mapped time: a number (fractions are cut), the same as text, or ISO 8601. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "string" && value.trim() !== "" && !/^\d+(\.\d+)?$/.test(value.trim())) {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1000);
  }
  const number = typeof value === "string" ? Number(value) : doubleOf(value);
  const whole = Math.floor(inMicroseconds(number ?? Number.NaN));
  return Number.isSafeInteger(whole) ? whole : undefined;
}

export type SourceReading = {
  /** platform: types mean what docs/platform.md says. Others only go into the log. */
  records: SourceRecords;
  /** Null unless `records` is generic or documents; the source's name keeps the records' IDs apart. */
  record: GenericRecords | null;
  mapping: FieldMapping;
  event: EventReading | null;
  /** Place in the data of what tells events of one type apart, where the sender's template has one. */
  variant?: string;
};

export type GenericRecords = RecordSettings & { source: string; isDocument?: boolean };

/** A platform source without field mapping. One object, so that what is derived from it is derived once. */
export const PLATFORM_READING: SourceReading = { records: "platform", record: null, mapping: NO_MAPPING, event: null };

/** By source ID; missing ones are read as the platform's. */
export type SourceReadings = ReadonlyMap<string, SourceReading>;

export type StoredReading = {
  name: string;
  template: SourceTemplateName;
  records: SourceRecords;
  record: RecordSettings | null;
  reading: EventReading | null;
  mapping: FieldMapping;
};

/** A reading that has no text for what events are about has the template's, or says what its record would be if it made any. */
function eventReadingOf({ template, records, reading }: Pick<StoredReading, "template" | "records" | "reading">): EventReading | null {
  const { reading: known, record } = TEMPLATES[template];
  const event = reading ?? known;
  const about = known?.about ?? (records === "none" && record ? aboutRecord(record, known?.data) : undefined);
  return event && about && event.about === undefined ? { ...event, about } : event;
}

/** @param data the place to which a record's are relative */
function aboutRecord({ kind, title, id, ids = [] }: RecordSettings, data: string | undefined): string[] {
  const placeOf = (path: string) => `{${data === undefined ? path : `${data}.${path}`}}`;
  return [...(title === undefined ? [] : [placeOf(title)]), ...[...ids, id].map((path) => `${kind} ${placeOf(path)}`)];
}

export const readingOfStored = ({ name, template, records, record, reading, mapping }: StoredReading): SourceReading => ({
  records,
  record: recordsOf({ name, template, records, record }),
  mapping,
  event: eventReadingOf({ template, records, reading }),
  ...(TEMPLATES[template].variant !== undefined && { variant: TEMPLATES[template].variant }),
});

/** The settings of documents are the template's, unless the source has its own. */
function recordsOf({ name, template, records, record }: Omit<StoredReading, "reading" | "mapping">): GenericRecords | null {
  const isDocument = records === "documents";
  if (!isDocument && records !== "generic") return null;
  const known = TEMPLATES[template];
  const settings = record ?? (records === known.records ? known.record : null) ?? null;
  return settings && { ...settings, source: name, isDocument };
}

export const readingOf = (readings: SourceReadings, sourceId: string): SourceReading => readings.get(sourceId) ?? PLATFORM_READING;

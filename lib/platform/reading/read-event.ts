import { createHash } from "node:crypto";
import { isObject } from "#lib/contracts/json/exact-json";
import { idText } from "#lib/contracts/json/numbers";
import { WHOLE_BODY } from "#lib/contracts/sources/field-mapping";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import { type Envelope, type EnvelopeReading, envelopeSchema, readEnvelope, secondsOf } from "../envelope.ts";
import { valueAt } from "../field-names.ts";
import { keptQuery, MASKED } from "../schemes/kept-request.ts";
import { issueWords } from "../validation-messages.ts";
import { parseJson, readPayload } from "./payload.ts";
import type { SourceReading } from "./source-reading.ts";

/** A request whose sender has verified. `query`: behind the `?` of its URL. */
export type ReceivedRequest = {
  body: Uint8Array;
  headers: Record<string, string | string[] | undefined>;
  query: string;
  receivedAt: Date;
};

/** The events of a request, each with the bytes that are kept as its body; or in words why it holds none. */
export type RequestReading = { outcome: "events"; events: ReadEvent[] } | Exclude<EnvelopeReading, { outcome: "envelope" }>;
export type ReadEvent = { envelope: Envelope; body: Uint8Array };

/**
 * Reads a verified request as its source's events are read: the platform's envelope with the field mapping, or where
 * the source's reading says that an ID, a type, a time and the data stand. Without a place for the ID it is the body's
 * SHA-256, so that equal bodies are one event; without one for the time it is the receipt's. Where the source's requests
 * are lists, each entry is an event: all of them, or none.
 */
export function readEvents(request: ReceivedRequest, { event, mapping }: SourceReading): RequestReading {
  if (event?.items !== undefined) return readItems(request, event, event.items);
  const { body } = request;
  const reading = event === null ? readEnvelope(body, mapping) : readSingle(request, event);
  return reading.outcome === "envelope" ? { outcome: "events", events: [{ envelope: reading.envelope, body }] } : reading;
}

function readSingle(request: ReceivedRequest, event: EventReading): EnvelopeReading {
  const parsed = readPayload(request.body);
  if (!parsed.ok) return { outcome: "malformed_json", detail: parsed.detail };
  return envelopeOf(partsOf(parsed.value, lookedInto(request), event), event);
}

function envelopeOf(parts: Record<string, unknown>, event: EventReading): EnvelopeReading {
  const found = envelopeSchema.safeParse(parts);
  return found.success
    ? { outcome: "envelope", envelope: found.data }
    : { outcome: "invalid_envelope", detail: `${issueWords(found.error).join("; ")}. Looked for it in: ${placesOf(event)}` };
}

/** A request is one commit: more than these would hold up others. */
const MAX_ITEMS = 1000;

function readItems(request: ReceivedRequest, event: EventReading, path: string): RequestReading {
  const parsed = parseJson(request.body);
  if (!parsed.ok) return { outcome: "malformed_json", detail: parsed.detail };
  const items = listAt(parsed.value, path);
  if (items === null || items.length === 0)
    return { outcome: "invalid_envelope", detail: `There is no list with entries. Looked for it in: ${path}` };
  if (items.length > MAX_ITEMS)
    return { outcome: "invalid_envelope", detail: `The list has ${items.length} entries: at most ${MAX_ITEMS} are read.` };
  const bodies = bodiesOf(items);
  if (bodies === null) return { outcome: "invalid_envelope", detail: "The list is nested too deeply." };
  const events: ReadEvent[] = [];
  const whole = lookedInto(request);
  for (const [index, body] of bodies.entries()) {
    const reading = envelopeOf(partsOf(items[index], whole, event, index + 1), event);
    if (reading.outcome !== "envelope") return { ...reading, detail: `Entry ${index + 1}: ${reading.detail}` };
    events.push({ envelope: reading.envelope, body });
  }
  return { outcome: "events", events };
}

function listAt(payload: unknown, path: string): unknown[] | null {
  const found = path === WHOLE_BODY ? payload : valueAt(payload, path);
  return Array.isArray(found) ? found : null;
}

/** Each entry by itself; null where it is nested too deeply to be written. */
function bodiesOf(items: unknown[]): Buffer[] | null {
  try {
    return items.map((item) => Buffer.from(JSON.stringify(item)));
  } catch {
    return null;
  }
}

/** The same of a request as it was kept, whose query stands beside its headers. */
export const readKept = (
  { body, headers, receivedAt }: { body: Uint8Array; headers: Record<string, string>; receivedAt: Date },
  reading: SourceReading,
): RequestReading => readEvents({ body, headers, query: keptQuery(headers), receivedAt }, reading);

/** The data of an event of the log, whose ID, type and time were read when it was received. */
export function readStored(body: Uint8Array, { event, mapping }: SourceReading): StoredReading {
  if (event === null) {
    const reading = readEnvelope(body, mapping);
    return reading.outcome === "envelope" ? { outcome: "data", data: reading.envelope.data } : reading;
  }
  const parsed = readPayload(body);
  return parsed.ok ? { outcome: "data", data: dataOf(parsed.value, event) } : { outcome: "malformed_json", detail: parsed.detail };
}

type StoredReading = { outcome: "data"; data: Record<string, unknown> } | Exclude<EnvelopeReading, { outcome: "envelope" }>;

/** A request with what its entries share: read from it once, however many they are, and only where a place asks for it. */
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

/** @param entry the number of an entry in its list, from 1: an ID that is made of the whole request is the entry's with it */
function partsOf(payload: unknown, whole: LookedInto, event: EventReading, entry?: number): Record<string, unknown> {
  const suffix = entry === undefined ? "" : `#${entry}`;
  const first = <T>(paths: readonly string[] = [], read: (value: unknown) => T | undefined): T | undefined => {
    for (const path of paths) {
      const value = read(resolve(path, payload, whole, suffix));
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    id: first(event.id, idText) ?? `sha256:${whole.digest()}${suffix}`,
    type: first(event.type, idText),
    created: first(event.created, secondsOf) ?? Math.floor(whole.request.receivedAt.getTime() / 1000),
    data: dataOf(payload, event),
  };
}

/** An object as it is; what is none, as the `value` of one. */
function dataOf(payload: unknown, { data }: EventReading): Record<string, unknown> {
  const found = data === undefined ? payload : (valueAt(payload, data) ?? payload);
  return isObject(found) ? found : { value: found };
}

/** The value at a place; text with places in braces is joined, and is nothing where one of them holds nothing. */
function resolve(path: string, payload: unknown, whole: LookedInto, suffix: string): unknown {
  if (path === NEW_ID) return `${whole.request.receivedAt.getTime()}-${whole.digest().slice(0, 16)}${suffix}`;
  if (path.startsWith("text:")) return path.slice("text:".length);
  if (!path.includes("{")) return valueIn(path, payload, whole);
  let missing = false;
  const joined = path.replaceAll(/\{([^}]*)\}/g, (_, place: string) => {
    const value = idText(valueIn(place, payload, whole));
    missing ||= value === undefined;
    return value ?? "";
  });
  return missing ? undefined : joined;
}

/** Another ID for each request: where equal bodies are different events. */
const NEW_ID = "receipt:id";

function valueIn(place: string, payload: unknown, { request, query }: LookedInto): unknown {
  if (place.startsWith("header:")) return headerOf(request.headers, place.slice("header:".length).toLowerCase()) ?? undefined;
  if (place.startsWith("query:")) return query().get(place.slice("query:".length)) ?? undefined;
  return valueAt(payload, place);
}

const headerOf = (headers: ReceivedRequest["headers"], name: string): string | null => {
  const value = headers[name];
  return typeof value === "string" && value !== "" && value !== MASKED ? value : null;
};

const placesOf = ({ id, type, created }: EventReading) => [...(id ?? []), ...(type ?? []), ...(created ?? [])].join(", ");

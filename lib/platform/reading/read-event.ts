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

/** A verified request. `query`: the part after the `?` of its URL. */
export type ReceivedRequest = {
  body: Uint8Array;
  headers: Record<string, string | string[] | undefined>;
  query: string;
  receivedAt: Date;
};

export type RequestReading = { outcome: "events"; events: ReadEvent[] } | Exclude<EnvelopeReading, { outcome: "envelope" }>;
export type ReadEvent = { envelope: Envelope; body: Uint8Array };

/** Returns all of a request's events, or none. Without a place for the ID it is the body's SHA-256: equal bodies are one event. */
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

/** A request is one commit: more would delay others. */
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

/** Serializes each entry; null if one is nested too deeply. */
function bodiesOf(items: unknown[]): Buffer[] | null {
  try {
    return items.map((item) => Buffer.from(JSON.stringify(item)));
  } catch {
    return null;
  }
}

export const readKept = (
  { body, headers, receivedAt }: { body: Uint8Array; headers: Record<string, string>; receivedAt: Date },
  reading: SourceReading,
): RequestReading => readEvents({ body, headers, query: keptQuery(headers), receivedAt }, reading);

/** Reads the data of an event of the log; its ID, type and time were read on receipt. */
export function readStored(body: Uint8Array, { event, mapping }: SourceReading): StoredReading {
  if (event === null) {
    const reading = readEnvelope(body, mapping);
    return reading.outcome === "envelope" ? { outcome: "data", data: reading.envelope.data } : reading;
  }
  const parsed = readPayload(body);
  return parsed.ok ? { outcome: "data", data: dataOf(parsed.value, event) } : { outcome: "malformed_json", detail: parsed.detail };
}

type StoredReading = { outcome: "data"; data: Record<string, unknown> } | Exclude<EnvelopeReading, { outcome: "envelope" }>;

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

/** Reads the event's parts. `entry`, from 1, makes an ID of the whole request the entry's own. */
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

/** Wraps anything but an object in `value`. */
function dataOf(payload: unknown, { data }: EventReading): Record<string, unknown> {
  const found = data === undefined ? payload : (valueAt(payload, data) ?? payload);
  return isObject(found) ? found : { value: found };
}

/** Returns the value at a place; text with places in braces is undefined if one of them is. */
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

/** A new ID for each request: equal bodies are different events. */
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

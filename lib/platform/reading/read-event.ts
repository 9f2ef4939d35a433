import { createHash } from "node:crypto";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import { type EnvelopeReading, envelopeSchema, parseJson, readEnvelope, secondsOf } from "../envelope.ts";
import { idText, valueAt } from "../field-names.ts";
import { keptQuery, MASKED } from "../schemes/kept-request.ts";
import { issueWords } from "../validation-messages.ts";
import type { SourceReading } from "./source-reading.ts";

/** A request whose sender has verified. `query`: behind the `?` of its URL. */
export type ReceivedRequest = {
  body: Uint8Array;
  headers: Record<string, string | string[] | undefined>;
  query: string;
  receivedAt: Date;
};

/**
 * Reads a verified request as its source's events are read: the platform's envelope with the field mapping, or where
 * the source's reading says that an ID, a type, a time and the data stand. Without a place for the ID it is the body's
 * SHA-256, so that equal bodies are one event; without one for the time it is the receipt's.
 *
 * @returns the envelope, or in words why it is none
 */
export function readEvent(request: ReceivedRequest, { event, mapping }: SourceReading): EnvelopeReading {
  if (event === null) return readEnvelope(request.body, mapping);
  const parsed = readPayload(request.body);
  if (!parsed.ok) return { outcome: "malformed_json", detail: parsed.detail };
  const found = envelopeSchema.safeParse(partsOf(parsed.value, request, event));
  return found.success
    ? { outcome: "envelope", envelope: found.data }
    : { outcome: "invalid_envelope", detail: `${issueWords(found.error).join("; ")}. Looked for it in: ${placesOf(event)}` };
}

/** The same of a request as it was kept, whose query stands beside its headers. */
export const readKept = (
  { body, headers, receivedAt }: { body: Uint8Array; headers: Record<string, string>; receivedAt: Date },
  reading: SourceReading,
): EnvelopeReading => readEvent({ body, headers, query: keptQuery(headers), receivedAt }, reading);

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

type Payload = { ok: true; value: unknown } | { ok: false; detail: string };

/** The one field of a form that holds the event as JSON: GitHub's and Slack's. */
const JSON_FIELD = "payload";

/** JSON, a form, or a form whose field `payload` holds JSON; whatever the content type says, so that the log reads the same later. */
function readPayload(body: Uint8Array): Payload {
  const json = parseJson(body);
  if (json.ok || !FORM.test(Buffer.from(body).toString())) return json;
  const fields = Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));
  const inField = fields[JSON_FIELD];
  return inField === undefined ? { ok: true, value: fields } : parseJson(Buffer.from(inField));
}

/** `name=value&…` (application/x-www-form-urlencoded). */
const FORM = /^[\w.%+*[\]-]+=\S*$/;

function partsOf(payload: unknown, request: ReceivedRequest, event: EventReading): Record<string, unknown> {
  const first = <T>(paths: readonly string[] | undefined, read: (value: unknown) => T | undefined): T | undefined =>
    paths?.map((path) => read(resolve(path, payload, request))).find((value) => value !== undefined);
  return {
    id: first(event.id, idText) ?? `sha256:${createHash("sha256").update(request.body).digest("hex")}`,
    type: first(event.type, idText),
    created: first(event.created, secondsOf) ?? Math.floor(request.receivedAt.getTime() / 1000),
    data: dataOf(payload, event),
  };
}

/** An object as it is; what is none, as the `value` of one. */
function dataOf(payload: unknown, { data }: EventReading): Record<string, unknown> {
  const found = data === undefined ? payload : (valueAt(payload, data) ?? payload);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : { value: found };
}

/** The value at a place; text with places in braces is joined, and is nothing where one of them holds nothing. */
function resolve(path: string, payload: unknown, request: ReceivedRequest): unknown {
  if (!path.includes("{")) return valueIn(path, payload, request);
  let missing = false;
  const joined = path.replaceAll(/\{([^}]*)\}/g, (_, place: string) => {
    const value = idText(valueIn(place, payload, request));
    missing ||= value === undefined;
    return value ?? "";
  });
  return missing ? undefined : joined;
}

function valueIn(place: string, payload: unknown, { headers, query }: ReceivedRequest): unknown {
  if (place.startsWith("header:")) return headerOf(headers, place.slice("header:".length).toLowerCase()) ?? undefined;
  if (place.startsWith("query:")) return new URLSearchParams(query).get(place.slice("query:".length)) ?? undefined;
  return valueAt(payload, place);
}

const headerOf = (headers: ReceivedRequest["headers"], name: string): string | null => {
  const value = headers[name];
  return typeof value === "string" && value !== "" && value !== MASKED ? value : null;
};

const placesOf = ({ id, type, created }: EventReading) => [...(id ?? []), ...(type ?? []), ...(created ?? [])].join(", ");

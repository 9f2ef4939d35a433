import { isObject } from "#lib/contracts/exact-json";
import { OF_CONNECTION } from "#lib/contracts/http-headers";
import { WHOLE_BODY } from "#lib/contracts/sources/field-mapping";
import type { EventReading, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import type { Renewed, Scheme } from "./scheme.ts";
import { isBasic, schemeOf, TEMPLATES } from "./templates.ts";

type ToReSign = Renewed & {
  headers: Record<string, string>;
  secrets: readonly string[];
  id: string;
  now: Date;
};

/** `sent`: parts that are the secret itself, never to be shown. */
type ReSigned = Renewed & { headers: Record<string, string>; sent: string[] };

export function whyNotReSigned(sender: SourceSender): string | null {
  const reason = reasonOf(schemeOf(sender.template, sender.scheme));
  return reason && `${TEMPLATES[sender.template].title} can't be re-signed: ${reason}`;
}

function reasonOf({ onlySenderSigns, secretInBody, signatureInBody, needsSecret }: Scheme): string | null {
  if (secretInBody || signatureInBody) return "its signature is in the body, which is forwarded unchanged.";
  if (onlySenderSigns?.("")) return "only the sender has the key.";
  return needsSecret ? null : "its requests have no signature.";
}

/** Signs a request as its sender would now: the same ID, a new time. */
export function reSign(sender: SourceSender, { headers, secrets, id, now, ...request }: ToReSign): ReSigned {
  const scheme = schemeOf(sender.template, sender.scheme);
  const { body, url } = scheme.renew?.({ ...request, contentType: headers["content-type"] ?? "", now }) ?? request;
  const given = scheme.idHeader && headers[scheme.idHeader] !== MASKED && headers[scheme.idHeader];
  // Basic authentication needs a user name, which no secret of Signalbox has.
  const [secret = "", ...older] = isBasic(sender.template) ? secrets.map((each) => `signalbox:${each}`) : secrets;
  const toSign = { body, secret, older, url, id: given || id, now, received: headers };
  const signature = scheme.sign(toSign);
  const sent = scheme.secretHeader === undefined ? [] : [signature[scheme.secretHeader] ?? "", secret];
  return { body, url: scheme.signUrl?.(toSign) ?? url, headers: { ...ownHeaders(headers, sender), ...signature }, sent };
}

type SampleRequest = { body: string; headers: Record<string, string> };

/** Type of the event that proves that a source receives. */
export const SAMPLE_TYPE = "signalbox.test";
const PLACE = /header:([a-z0-9-]+)/g;

/** `secret`: as written in a body, for a sender that sends it there. */
type Sampled = { template: SourceTemplateName; reading: EventReading | null; secret: string };

export function sampleRequest({ template, reading, secret }: Sampled, id: string, now: Date): SampleRequest {
  const seconds = Math.floor(now.getTime() / 1000);
  if (template === "twilio")
    return {
      body: `MessageSid=${id}&SmsStatus=${SAMPLE_TYPE}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    };
  const event: Record<string, unknown> = { id, type: SAMPLE_TYPE, created: seconds, data: {} };
  // The type and the time come last: an ID that is made of them has them as they are.
  putAt(event, reading?.id, id);
  putAt(event, reading?.type, SAMPLE_TYPE);
  putAt(event, reading?.created, seconds);
  if (template === "microsoft-graph") event.clientState = secret;
  if (template === "linear") event.webhookTimestamp = now.getTime();
  const { body, type } = writtenBody(inList(event, reading?.items), reading);
  const inPlaces = { ...inHeaders(reading?.type, SAMPLE_TYPE), ...inHeaders(reading?.id, id) };
  return { body, headers: { ...(type && { "content-type": type }), ...inPlaces } };
}

function writtenBody(event: unknown, reading: EventReading | null): { body: string; type: string | null } {
  if (reading?.body === "headers") return { body: "", type: null };
  if (reading?.body === "xml") return { body: `<?xml version="1.0"?>${xmlOf(event)}`, type: "text/xml" };
  const json = JSON.stringify(event);
  if (reading?.field === undefined) return { body: json, type: "application/json" };
  return { body: String(new URLSearchParams({ [reading.field]: json })), type: "application/x-www-form-urlencoded" };
}

/** Its keys are places of a reading, its values IDs, types and times: nothing needs an escape. */
const xmlOf = (value: unknown): string =>
  isObject(value)
    ? Object.entries(value)
        .flatMap(([name, inner]) => [inner].flat().map((one) => `<${name}>${xmlOf(one)}</${name}>`))
        .join("")
    : String(value);

/** `a[].b` is a list of objects with one of b. */
function inList(event: Record<string, unknown>, path: string | undefined): unknown {
  if (path === undefined) return event;
  if (path === WHOLE_BODY) return [event];
  const keys = path.replace(/\[\]$/, "").split(".");
  return keys.reduceRight<unknown>((inner, key) => (key.endsWith("[]") ? { [key.slice(0, -2)]: [inner] } : { [key]: inner }), [event]);
}

const IN_BRACES = /\{([^{}:]+)\}/g;

/** Puts a value at the first place that is a path in the body, or at each path of the first place that is made of such. */
function putAt(body: Record<string, unknown>, places: readonly string[] = [], value: string | number): void {
  const plain = places.find((path) => !/[:{]/.test(path));
  const joined = places.find((path) => path.includes("{") && !path.includes(":")) ?? places.find((path) => path.includes("{")) ?? "";
  const paths = plain === undefined ? [...joined.matchAll(IN_BRACES)].map(([, path = ""]) => path) : [plain];
  for (const path of paths) putInto(body, path.split("."), value);
}

function putInto(body: Record<string, unknown>, keys: string[], value: string | number): void {
  const [last = "", ...before] = keys.toReversed();
  let at = body;
  for (const key of before.toReversed()) {
    const inner = isObject(at[key]) ? at[key] : {};
    at[key] = inner;
    at = inner;
  }
  at[last] = value;
}

const inHeaders = (places: readonly string[] = [], value: string): Record<string, string> =>
  Object.fromEntries(places.flatMap((place) => [...place.matchAll(PLACE)].map(([, name = ""]) => [name, value])));

/** The kept request's query, stored with its headers; no header can have this name. */
export const QUERY_HEADER = ":query";

export const keptQuery = (headers: Record<string, string>): string => headers[QUERY_HEADER] ?? "";

/** Replaces a header's value that holds a secret. */
export const MASKED = "[masked]";

/** Returns the URL as the sender signs it. `base`: the receiver's public URL before /webhooks/<source>. */
export const requestUrl = (base: string, source: string, query: string): string => {
  const url = `${base}/webhooks/${encodeURIComponent(source)}`;
  return query === "" ? url : `${url}?${query}`;
};

const MASKED_VALUE = encodeURIComponent(MASKED);
const valueIn = (query: string, parameter: string): string[] => new URLSearchParams(query).getAll(parameter);

/** No word, and as long as a digest or a secret. */
const PROOF_LIKE = /^[A-Za-z0-9+/_=-]{20,}$/;

/** Returns the query to show, with the proof's value masked; of an unknown sender, whatever could be one. Its other parts stay as sent. */
export function maskedQuery(query: string, { proofQuery, learnsUntil }: Pick<Scheme, "proofQuery" | "learnsUntil">): string {
  if (query === "" || (proofQuery === undefined && learnsUntil === undefined)) return query;
  const masked = (pair: string) => {
    const [[name, value] = ["", ""]] = [...new URLSearchParams(pair)];
    return name === proofQuery || (learnsUntil !== undefined && PROOF_LIKE.test(value)) ? `${pair.split("=")[0]}=${MASKED_VALUE}` : pair;
  };
  return query.split("&").map(masked).join("&");
}

/** Returns the name of the proof that was masked and is sealed nowhere, in words; null if the proof is complete. */
export function maskedProof(
  { headers, proofQuery }: Pick<Scheme, "headers" | "proofQuery">,
  kept: Record<string, string | string[] | undefined>,
): string | null {
  const masked = headers.find((name) => kept[name] === MASKED);
  if (masked !== undefined) return `header ${masked}`;
  const query = kept[QUERY_HEADER];
  const inQuery = proofQuery !== undefined && typeof query === "string" && valueIn(query, proofQuery).includes(MASKED);
  return inQuery ? `query parameter ${proofQuery}` : null;
}

export type SourceSender = { template: SourceTemplateName; scheme: SchemeSettings; reading: EventReading | null };

const KEPT_PLACE = /header:([a-z0-9-]+)/g;

function namesOf(scheme: Scheme, reading: EventReading | null, more: readonly string[] = []): string[] {
  const places = [...(reading?.id ?? []), ...(reading?.type ?? []), ...(reading?.created ?? [])];
  const named = places.flatMap((place) => [...place.matchAll(KEPT_PLACE)].map(([, name = ""]) => name));
  // None of the connection, even if a source names its signature so.
  return [...scheme.headers, ...named, ...more].filter((name) => name !== scheme.secretHeader && !OF_CONNECTION.test(name));
}

/** Headers by which known senders sign or name their events; none that holds a secret. */
const KNOWN: ReadonlySet<string> = new Set(
  Object.values(TEMPLATES).flatMap(({ scheme, takes, reading, alsoSends }) =>
    takes === undefined ? namesOf(scheme({}), reading, alsoSends) : [],
  ),
);

const ownOf = ({ template, scheme, reading }: SourceSender): ReadonlySet<string> =>
  new Set(namesOf(schemeOf(template, scheme), reading ?? TEMPLATES[template].reading, TEMPLATES[template].alsoSends));

/** Returns the names that a copy of a sender's request sets. A token is never passed through, but re-signed. */
export function setHeaders(sender: SourceSender, mode: "pass_through" | "re_sign"): ReadonlySet<string> {
  const { secretHeader } = schemeOf(sender.template, sender.scheme);
  return new Set([...ownOf(sender), ...(mode === "re_sign" && secretHeader !== undefined ? [secretHeader] : [])]);
}

type Headers = Record<string, string>;
const pick = (headers: Headers, isPicked: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => isPicked(name) && value !== MASKED));

/** Returns the headers that the sender's own library needs, so that a handler written with it works on a copy. */
export function passedHeaders(headers: Headers, sender: SourceSender | undefined): Headers {
  const own = sender && ownOf(sender);
  return pick(headers, (name) => KNOWN.has(name) || own?.has(name) === true);
}

/** Returns only the sender's own headers: another sender's signature would be invalid next to a new one. */
export function ownHeaders(headers: Headers, sender: SourceSender): Headers {
  const own = ownOf(sender);
  return pick(headers, (name) => own.has(name));
}

import { WHOLE_BODY } from "#lib/contracts/sources/field-mapping";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { MASKED, ownHeaders, type SourceSender } from "./kept-request.ts";
import type { Renewed, Scheme } from "./scheme.ts";
import { schemeOf, TEMPLATES } from "./templates.ts";

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

function reasonOf({ onlySenderSigns, secretInBody, needsSecret }: Scheme): string | null {
  if (onlySenderSigns?.("")) return "only the sender has the key.";
  if (secretInBody) return "its signature is in the body, which is forwarded unchanged.";
  return needsSecret ? null : "its requests have no signature.";
}

/** Signs a request as its sender would now: the same ID, a new time. */
export function reSign(sender: SourceSender, { headers, secrets, id, now, ...request }: ToReSign): ReSigned {
  const scheme = schemeOf(sender.template, sender.scheme);
  const { body, url } = scheme.renew?.({ ...request, contentType: headers["content-type"] ?? "", now }) ?? request;
  const given = scheme.idHeader && headers[scheme.idHeader] !== MASKED && headers[scheme.idHeader];
  // Basic authentication needs a user name, which no secret of Signalbox has.
  const [secret = "", ...older] = sender.template === "basic" ? secrets.map((each) => `signalbox:${each}`) : secrets;
  const signature = scheme.sign({ body, secret, older, url, id: given || id, now, received: headers });
  const sent = scheme.secretHeader === undefined ? [] : [signature[scheme.secretHeader] ?? "", secret];
  return { body, url, headers: { ...ownHeaders(headers, sender), ...signature }, sent };
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
  putAt(event, reading?.id, id);
  putAt(event, reading?.type, SAMPLE_TYPE);
  if (template === "microsoft-graph") event.clientState = secret;
  if (template === "linear") event.webhookTimestamp = now.getTime();
  return {
    body: JSON.stringify(inList(event, reading?.items)),
    headers: { "content-type": "application/json", ...inHeaders(reading?.type, SAMPLE_TYPE), ...inHeaders(reading?.id, id) },
  };
}

function inList(event: Record<string, unknown>, path: string | undefined): unknown {
  if (path === undefined || path === WHOLE_BODY) return path === undefined ? event : [event];
  return path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), [event]);
}

/** Puts a value at the first place that is a path in the body. */
function putAt(body: Record<string, unknown>, places: readonly string[] = [], value: string): void {
  const place = places.find((path) => !/[:{]/.test(path));
  if (place === undefined) return;
  const keys = place.split(".");
  const last = keys.pop() ?? place;
  let at = body;
  for (const key of keys) {
    const inner = typeof at[key] === "object" && at[key] !== null ? at[key] : {};
    at[key] = inner;
    at = inner as Record<string, unknown>;
  }
  at[last] = value;
}

const inHeaders = (places: readonly string[] = [], value: string): Record<string, string> =>
  Object.fromEntries(places.flatMap((place) => [...place.matchAll(PLACE)].map(([, name = ""]) => [name, value])));

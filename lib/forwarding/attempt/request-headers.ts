import { passedHeaders, type SourceSender } from "#lib/platform/schemes/passed-headers";
import { reSign, whyNotReSigned } from "#lib/platform/schemes/re-sign";
import type { TargetUrl } from "../target/target-url.ts";
import type { AttemptRequest } from "./send-attempt.ts";
import { messageId, type Signing, signedHeaders } from "./signing.ts";

export type OutgoingEvent = {
  deliveryId: string;
  /** Over all attempts of the delivery, from 1. */
  number: number;
  sourceId: string;
  eventId: string;
  type: string;
  body: Uint8Array;
  headers: Record<string, string>;
  /** Scheme of its source; undefined for a made-up event. */
  sender?: SourceSender | undefined;
};

/** `secrets`: parts of the request that are themselves secret. */
export type OutgoingRequest = AttemptRequest & { secrets: readonly string[] };

const JSON_TYPE = "application/json";
export const CLIENT_HEADERS = { "user-agent": "Signalbox", accept: "*/*", "accept-encoding": "identity" };

/** Returns the request of one attempt. Pass-through keeps the sender's signature headers; re-sign makes its signature with our secret. */
export function requestOf(event: OutgoingEvent, signing: Signing, target: TargetUrl, now: Date): OutgoingRequest {
  const { path, headers, body, secrets } = signedRequest(event, signing, target, now);
  return { path, headers: { ...describing(event), ...headers, ...naming(event) }, body, secrets };
}

function signedRequest(event: OutgoingEvent, { mode, secrets }: Signing, { href, origin, path }: TargetUrl, now: Date): OutgoingRequest {
  const { sender, body } = event;
  const id = messageId(event.sourceId, event.eventId);
  if (mode === "pass_through") return { path, headers: inAscii(passedHeaders(event.headers, sender)), body, secrets: [] };
  // A delivery from before a change of the mode may be of a sender that nobody else can sign for.
  if (mode === "signed" || sender === undefined || whyNotReSigned(sender) !== null)
    return { path, headers: signedHeaders(id, now, body, secrets), body, secrets: [] };
  const signed = reSign(sender, { body, url: href, headers: event.headers, secrets, id, now });
  return { path: signed.url.slice(origin.length), headers: inAscii(signed.headers), body: signed.body, secrets: signed.sent };
}

const inAscii = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerText(value)]));

const describing = ({ headers }: OutgoingEvent) => ({
  "content-type": headerText(headers["content-type"] ?? JSON_TYPE),
  ...CLIENT_HEADERS,
});

function naming(event: OutgoingEvent): Record<string, string> {
  return {
    "signalbox-event-id": headerText(event.eventId),
    "signalbox-event-type": headerText(event.type),
    "signalbox-delivery-id": event.deliveryId,
    "signalbox-attempt": String(event.number),
  };
}

/** Percent-encodes (UTF-8) everything but visible ASCII, as names in a payload may hold anything. */
const headerText = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, 1000)
    .replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent)
    .trim();

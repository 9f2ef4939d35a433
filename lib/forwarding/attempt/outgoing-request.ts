import { createHash, createHmac, randomBytes } from "node:crypto";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import type { OwnHeader } from "#lib/contracts/forwarding/own-headers";
import { passedHeaders, reSign, type SourceSender, whyNotReSigned } from "#lib/platform/schemes/sender-requests";
import type { TargetUrl } from "../check-target.ts";
import { secretsIn } from "./redaction.ts";
import type { AttemptRequest } from "./send-attempt.ts";

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

/** `secrets`: parts of the request that are themselves secret. `own`: names of the destination's headers. */
type OutgoingRequest = AttemptRequest & { secrets: readonly string[]; own: readonly string[] };
type Signed = AttemptRequest & { secrets: readonly string[] };

const JSON_TYPE = "application/json";
export const CLIENT_HEADERS = { "user-agent": "Signalbox", accept: "*/*", "accept-encoding": "identity" };

/** Returns the request of one attempt. Pass-through keeps the sender's signature headers; re-sign makes its signature with our secret. */
export function requestOf(event: OutgoingEvent, signing: Signing, target: TargetUrl, now: Date): OutgoingRequest {
  const { path, headers: proof, body, secrets } = signedRequest(event, signing, target, now);
  const headers = { ...describing(event), ...proof, ...naming(event) };
  // A sender's signature may have a name that was free when the header was entered: without it nothing verifies.
  const own = (signing.own ?? []).filter(({ name }) => headers[name.toLowerCase() as keyof typeof headers] === undefined);
  return {
    path,
    headers: { ...Object.fromEntries(own.map(({ name, value }) => [name, value])), ...headers },
    body,
    secrets: [...secrets, ...own.flatMap(({ value }) => secretsIn(value))],
    own: own.map(({ name }) => name),
  };
}

function signedRequest(event: OutgoingEvent, { mode, secrets }: Signing, { href, origin, path }: TargetUrl, now: Date): Signed {
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

/** `secrets`: opened, the newest first; none in pass-through mode. `own`: headers of the destination. */
export type Signing = { mode: DestinationMode; secrets: readonly string[]; own?: readonly OwnHeader[] };

const PREFIX = "whsec_";
const KEY_BYTES = 32;

/** Returns a secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString("base64");

/** Returns the same ID for every attempt to send the same, for the receiver to compare; without dots, which separate signed parts. */
export function messageId(from: string, what: string): string {
  return `msg_${createHash("sha256").update(`${from}\n${what}`).digest("hex").slice(0, 40)}`;
}

/** Returns the headers of a signed message (Standard Webhooks, "Webhook headers"). */
export function signedHeaders(id: string, now: Date, body: Uint8Array, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(id, timestamp, body, secrets),
  };
}

/** Returns one `v1,` signature per secret over `id.timestamp.body` (Standard Webhooks, "Signature scheme"); `timestamp` in Unix seconds. */
function signatureHeader(id: string, timestamp: number, body: Uint8Array, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}

import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import { passedHeaders } from "#lib/platform/schemes/passed-headers";
import { messageId, signedHeaders } from "./signing.ts";

/** What is sent: an event's original bytes. */
export type OutgoingEvent = {
  deliveryId: string;
  /** Over all attempts of the delivery, from 1. */
  number: number;
  sourceId: string;
  eventId: string;
  type: string;
  body: Uint8Array;
  /** As they were received. */
  headers: Record<string, string>;
};

const JSON_TYPE = "application/json";
/** What every request says of the client. */
export const CLIENT_HEADERS = { "user-agent": "Signalbox", accept: "*/*", "accept-encoding": "identity" };

/**
 * The headers of one attempt. Signed: those of Standard Webhooks. Pass-through:
 * the headers by which the sender signed the same bytes and said what they are.
 *
 * @param secrets the opened secrets that sign now
 * @param now the time of the attempt
 */
export function requestHeaders(event: OutgoingEvent, mode: DestinationMode, secrets: readonly string[], now: Date): Record<string, string> {
  return {
    "content-type": headerText(event.headers["content-type"] ?? JSON_TYPE),
    ...CLIENT_HEADERS,
    ...(mode === "signed"
      ? signedHeaders(messageId(event.sourceId, event.eventId), now, event.body, secrets)
      : Object.fromEntries(passedHeaders(event.headers).map(([name, value]) => [name, headerText(value)]))),
    "signalbox-event-id": headerText(event.eventId),
    "signalbox-event-type": headerText(event.type),
    "signalbox-delivery-id": event.deliveryId,
    "signalbox-attempt": String(event.number),
  };
}

/** A header holds visible ASCII: the rest of what a payload may call itself is percent-encoded (UTF-8). */
const headerText = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, 1000)
    .replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent)
    .trim();

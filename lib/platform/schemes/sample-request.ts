import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";

/** A request of a sender before it is signed. */
export type SampleRequest = { body: string; headers: Record<string, string> };

/** The type of the event that proves that a source receives. */
const TYPE = "signalbox.test";
const PLACE = /header:([a-z0-9-]+)/g;

/**
 * An event as this sender could send it: its ID and its type stand where the source reads them.
 *
 * @param id of the event, used once
 */
export function sampleRequest(template: SourceTemplateName, reading: EventReading | null, id: string, now: Date): SampleRequest {
  const seconds = Math.floor(now.getTime() / 1000);
  if (template === "twilio")
    return {
      body: `MessageSid=${id}&SmsStatus=${TYPE}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    };
  const body: Record<string, unknown> = { id, type: TYPE, created: seconds, data: {} };
  putAt(body, reading?.id, id);
  putAt(body, reading?.type, TYPE);
  return {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...inHeaders(reading?.type, TYPE), ...inHeaders(reading?.id, id) },
  };
}

/** Puts a value at the first place, where that is a path in the body. */
function putAt(body: Record<string, unknown>, [place]: readonly string[] = [], value: string): void {
  if (place === undefined || place.includes(":") || place.includes("{")) return;
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

/** Every header that one of the places names. */
const inHeaders = (places: readonly string[] = [], value: string): Record<string, string> =>
  Object.fromEntries(places.flatMap((place) => [...place.matchAll(PLACE)].map(([, name = ""]) => [name, value])));

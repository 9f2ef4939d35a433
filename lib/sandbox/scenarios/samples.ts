import { describeType, EVENT_TYPES, type EventType, titleOfType } from "#lib/platform/event-catalogue";
import { castOf } from "./cast.ts";
import { PAYLOADS } from "./payloads.ts";
import { type Random, seededRandom } from "./random.ts";

/** Returns an empty object for a type that the platform does not have. */
export function sampleData(type: string, random: Random): Record<string, unknown> {
  return isEventType(type) ? PAYLOADS[type](castOf(random), random) : {};
}

/** Returns a sample of each of the 16 types. One cast plays them all, so that they belong together. */
export function sampleEvents(seed: number): { type: EventType; title: string; data: Record<string, unknown> }[] {
  const random = seededRandom(seed);
  const cast = castOf(random);
  return EVENT_TYPES.map((type) => ({ type, title: titleOfType(type), data: PAYLOADS[type](cast, random) }));
}

const isEventType = (type: string): type is EventType => describeType(type) !== null;

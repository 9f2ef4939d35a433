import { isExactNumber, isObject } from "#lib/contracts/json/exact-json";

/** A last-writer-wins register. Writers are ordered by (created, rank of the type, event ID): events commute and repeats are harmless. */
export type Register = {
  v: unknown;
  /** The event's `created`, Unix seconds. */
  at: number;
  /** Lifecycle rank of the event's type: orders events of the same second. */
  rank: number;
  id: string;
};

export type Registers = Record<string, Register>;

/** Writer that wins: the last (most fields) or the first (when a thing was first seen). */
export type Mode = "last" | "first";

export function compareOrder(a: Register, b: Register): number {
  return a.at - b.at || a.rank - b.rank || compareText(a.id, b.id);
}

/** Orders two writes of one event by their values. */
const compareWriters = (a: Register, b: Register) => compareOrder(a, b) || compareText(canonicalText(a.v), canonicalText(b.v));

/** Returns JSON with sorted keys, so that values from events and from jsonb, which reorders keys, compare equal. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, part: unknown) {
    // An exact number is an object by now, which only JSON.stringify can read.
    return isObject(part) && !isExactNumber(this[key])
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compareText(a, b)))
      : part;
  });
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export function merge(current: Register | undefined, writer: Register, mode: Mode): Register {
  if (!current) return writer;
  const later = compareWriters(writer, current) > 0;
  return later === (mode === "last") ? writer : current;
}

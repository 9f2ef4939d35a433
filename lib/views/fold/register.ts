import { isExactNumber, isObject } from "#lib/contracts/json/exact-json";

/**
 * A last-writer-wins register: a value, and the event that set it. Writers are
 * ordered by (created, lifecycle rank of the type, event id), so applying
 * events commutes and repeats are harmless.
 */
export type Register = {
  v: unknown;
  /** The event's `created`, Unix seconds. */
  at: number;
  /** The lifecycle rank of the event's type: orders events of the same second. */
  rank: number;
  /** The event's id. */
  id: string;
};

export type Registers = Record<string, Register>;

/** Which of two writers wins: the last (most fields) or the first (when a thing was first seen). */
export type Mode = "last" | "first";

/** Orders two events by what they wrote: negative when `a` comes before `b`, 0 for the same event. */
export function compareOrder(a: Register, b: Register): number {
  return a.at - b.at || a.rank - b.rank || compareText(a.id, b.id);
}

/** Orders two writers: as their events, and two writes of one event by their values. */
const compareWriters = (a: Register, b: Register) => compareOrder(a, b) || compareText(canonicalText(a.v), canonicalText(b.v));

/**
 * A value as JSON with its keys in order: jsonb keeps them in an order of its
 * own, so what was just read from an event and what was stored must be written alike.
 */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, part: unknown) {
    // An exact number is an object by now, which only JSON.stringify can read.
    return isObject(part) && !isExactNumber(this[key])
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compareText(a, b)))
      : part;
  });
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The register that stands after both writes, in whatever order they came. */
export function merge(current: Register | undefined, writer: Register, mode: Mode): Register {
  if (!current) return writer;
  const later = compareWriters(writer, current) > 0;
  return later === (mode === "last") ? writer : current;
}

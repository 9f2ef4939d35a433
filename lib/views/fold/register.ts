import { storableText } from "#lib/contracts/api/plain-text";
import { isExactNumber, isNumber, isObject, parseExact } from "#lib/contracts/exact-json";
import { plainDecimal } from "#lib/contracts/exact-numbers";

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

const MAX_DEPTH = 12;
const MAX_ENTRIES = 100;
const MAX_TEXT = 4000;
const MAX_DIGITS = 100;

/** Most bytes of the value of a known field, and of any other field, as JSON. */
export const NAMED_BYTES = 16_384;
export const FREE_BYTES = 4096;
/** Room for the text that says how long a value was. */
const WORDS = 60;

/** Replaces what jsonb rejects (U+0000, lone surrogates) and cuts unbounded values. The event itself keeps every byte. */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return registerText(value);
  if (Number.isSafeInteger(value)) return value;
  if (isNumber(value)) return storableNumber(String(value));
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth >= MAX_DEPTH) return "… (nested deeper: see the event)";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => storable(entry, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([key, entry]) => [registerText(key), storable(entry, depth + 1)]));
}

/** jsonb writes a number's exponent out, so it is kept that way. One of more than 100 characters is kept as text. */
function storableNumber(number: string): unknown {
  const plain = plainDecimal(number, MAX_DIGITS);
  return plain === null ? registerText(number) : parseExact(plain);
}

export const registerText = (text: string): string => storableText(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Cuts a value longer than `max` bytes of JSON to the beginning of its text and its length. Idempotent. */
export function within(max: number, value: unknown): unknown {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  // An escaped character has at most six bytes: most texts need no counting.
  if (typeof value === "string" && value.length * 6 + 2 <= max) return value;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= max) return value;
  return `${beginning(typeof value === "string" ? value : canonicalText(value), max - WORDS)}… (${bytes} bytes: see the event)`;
}

/** Returns the longest beginning of a text within `max` bytes of JSON, escapes included. */
function beginning(text: string, max: number): string {
  let [fits, tooLong] = [0, text.length + 1];
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    if (Buffer.byteLength(JSON.stringify(text.slice(0, length))) <= max) fits = length;
    else tooLong = length;
  }
  return text.slice(0, fits).toWellFormed();
}

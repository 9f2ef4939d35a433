/**
 * True for text that PostgreSQL can hold: without U+0000, which its `text` type
 * rejects, and without a lone surrogate, which UTF-8 can't encode.
 */
export const isStorableText = (text: string): boolean => !text.includes("\0") && !/\p{Surrogate}/u.test(text);

/** The first and the last millisecond of the years 1 to 9999 UTC: beyond them ISO 8601 has no four-digit year. */
const FIRST_MS = -62_135_596_800_000;
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const MOMENT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * True for a moment in ISO 8601 with its zone, of the years 1 to 9999 UTC.
 * PostgreSQL takes no zone beyond 15:59, and no day that the calendar lacks.
 */
export function isMoment(text: string): boolean {
  const day = MOMENT.exec(text)?.[1];
  const at = Date.parse(text);
  return day !== undefined && isDay(day) && at >= FIRST_MS && at <= LAST_MS;
}

/** True for a day that the calendar has, `2026-01-31`, of the years 1 to 9999. */
export function isDay(text: string): boolean {
  if (!DAY.test(text) || text.startsWith("0000")) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Problem of a value, and its path: `filter.data.name`. */
export type JsonProblem = { path: string; message: string };

/** Far deeper than anything that is asked for; writing a value as text again, or walking it by calls, ends in a full stack some thousands deeper. */
const MAX_NESTING = 100;

type Place = { value: unknown; name: string; parent: Place | null; depth: number };

/**
 * Returns what keeps a JSON value from being worked with: nesting without a bound, and
 * texts and names that PostgreSQL can't hold, in its texts or in JSONB.
 *
 * @param anyText texts are not looked at
 * @returns null when nothing does
 */
export function findJsonProblem(value: unknown, { anyText = false } = {}): JsonProblem | null {
  const left: Place[] = [{ value, name: "", parent: null, depth: 0 }];
  for (let place = left.pop(); place; place = left.pop()) {
    if (typeof place.value === "string") {
      if (!anyText && !isStorableText(place.value)) return problem(place, UNSTORABLE);
    } else if (typeof place.value === "object" && place.value !== null) {
      if (place.depth > MAX_NESTING) return problem(place, `must not be nested deeper than ${MAX_NESTING} levels`);
      for (const [name, each] of Object.entries(place.value)) {
        if (!anyText && !isStorableText(name)) return problem(place, `${UNSTORABLE} in a name`);
        left.push({ value: each, name, parent: place, depth: place.depth + 1 });
      }
    }
  }
  return null;
}

const UNSTORABLE = "must not contain U+0000 or an unpaired surrogate";

/** Names that a reader can follow; the rest of a long way is left out. */
const MAX_NAMES = 20;

function problem(place: Place, message: string): JsonProblem {
  const names: string[] = [];
  for (let at: Place | null = place; at?.parent; at = at.parent) names.unshift(at.name);
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), "…"] : names;
  return { path: shown.join("."), message };
}

/** True for text that PostgreSQL can hold: no U+0000, which `text` rejects, and no lone surrogate, which UTF-8 can't encode. */
export const isStorableText = (text: string): boolean => !text.includes("\0") && !/\p{Surrogate}/u.test(text);

/** Years 1 to 9999 UTC: beyond them ISO 8601 has no four-digit year. */
const FIRST_MS = -62_135_596_800_000;
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const MOMENT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** True for an ISO 8601 time with its zone. PostgreSQL takes no zone beyond 15:59 and no day that the calendar lacks. */
export function isMoment(text: string): boolean {
  const day = MOMENT.exec(text)?.[1];
  const at = Date.parse(text);
  return day !== undefined && isDay(day) && at >= FIRST_MS && at <= LAST_MS;
}

export function isDay(text: string): boolean {
  if (!DAY.test(text) || text.startsWith("0000")) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

// Unix seconds (docs/platform.md). ASSUMPTION: a value far beyond any date has a finer unit. In SQL: lib/db/sql.ts

/** As seconds this would be the year 5138, as milliseconds it is March 1973. */
export const MILLISECONDS_FROM = 100_000_000_000;

/** As milliseconds this would be the year 5138, as microseconds it is March 1973. */
export const MICROSECONDS_FROM = 100_000_000_000_000;

/** As microseconds this would be the year 5138, as nanoseconds it is March 1973. */
export const NANOSECONDS_FROM = 100_000_000_000_000_000;

/** Seconds that the platform's clock may be ahead of ours; a later event is ordered by its receipt. */
export const CLOCK_TOLERANCE_S = 300;

export type JsonProblem = { path: string; message: string };

/** Serializing or walking a value that is nested some thousands deep overflows the stack. */
const MAX_NESTING = 100;

type Place = { value: unknown; name: string; parent: Place | null; depth: number };

/** Returns why a JSON value can't be used: it is nested too deep, or holds text that PostgreSQL can't. `anyText` skips the texts. */
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

const MAX_NAMES = 20;

function problem(place: Place, message: string): JsonProblem {
  const names: string[] = [];
  for (let at: Place | null = place; at?.parent; at = at.parent) names.unshift(at.name);
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), "…"] : names;
  return { path: shown.join("."), message };
}

import type { EventField } from "#lib/contracts/events/event-fields";
import { isObject } from "#lib/contracts/json/exact-json";

const MAX_FIELDS = 100;
const MAX_DEPTH = 6;
/** Values that are read of one payload. */
const MAX_VALUES = 500;
/** A field with more values or longer ones is no choice among a few, but an ID or a name. */
const MAX_CHOICES = 8;
const MAX_CHOICE = 40;

/** A key that a search term can name. */
const KEY = /^[\p{L}\p{N}_-]+$/u;

type Found = { events: number; values: Set<string> };

/** Returns the fields of payloads as the search names them, the most frequent first, without list indexes. Pure. */
export function fieldsOf(payloads: unknown[]): EventField[] {
  const found = new Map<string, Found>();
  for (const payload of payloads) {
    const own = new Map<string, Set<string>>();
    collect(payload, "data", 0, own, { left: MAX_VALUES });
    for (const [path, values] of own) {
      const before = found.get(path) ?? { events: 0, values: new Set<string>() };
      before.events += 1;
      for (const value of values) before.values.add(value);
      found.set(path, before);
    }
  }
  return [...found]
    .sort(([pathA, a], [pathB, b]) => b.events - a.events || (pathA < pathB ? -1 : 1))
    .slice(0, MAX_FIELDS)
    .map(([path, { values }]) => ({ path, values: isChoice(values) ? [...values].sort() : [] }));
}

function collect(value: unknown, path: string, depth: number, own: Map<string, Set<string>>, bound: { left: number }): void {
  if (value === null || value === undefined || depth > MAX_DEPTH || bound.left <= 0) return;
  bound.left -= 1;
  if (Array.isArray(value)) for (const each of value) collect(each, path, depth + 1, own, bound);
  else if (isObject(value)) {
    for (const [key, part] of Object.entries(value)) if (KEY.test(key)) collect(part, `${path}.${key}`, depth + 1, own, bound);
  } else if (depth > 0) {
    const values = own.get(path) ?? new Set<string>();
    own.set(
      path,
      values.add(
        String(value)
          .slice(0, MAX_CHOICE + 1)
          .toWellFormed(),
      ),
    );
  }
}

const isChoice = (values: Set<string>) =>
  values.size <= MAX_CHOICES && [...values].every((value) => value !== "" && value.length <= MAX_CHOICE && !value.includes('"'));

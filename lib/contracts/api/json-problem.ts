import { isStorableText } from "./bounds.ts";

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

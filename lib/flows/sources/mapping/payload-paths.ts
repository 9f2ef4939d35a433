import { isExactNumber } from "#lib/contracts/json/exact-json";

const MAX_PATHS = 200;
const MAX_DEPTH = 6;
const EXAMPLE_LENGTH = 80;

/** Returns the paths with a value that is no object, each with its first example; at most 200. */
export function pathsWithin(payloads: unknown[]): { path: string; example: string }[] {
  const found = new Map<string, string>();
  for (const payload of payloads) walk(payload, [], found);
  return [...found].map(([path, example]) => ({ path, example })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function walk(value: unknown, keys: string[], found: Map<string, string>): void {
  if (found.size >= MAX_PATHS || value === null || value === undefined) return;
  if (typeof value !== "object" || isExactNumber(value)) {
    const path = keys.join(".");
    // A key with a dot can't be told from two keys.
    if (keys.length > 0 && !keys.some((key) => key.includes(".")) && !found.has(path))
      found.set(path.slice(0, 200), String(value).slice(0, EXAMPLE_LENGTH).toWellFormed());
    return;
  }
  if (keys.length >= MAX_DEPTH) return;
  for (const [key, part] of Object.entries(value).slice(0, MAX_PATHS)) walk(part, [...keys, key], found);
}

import { visible } from "#lib/contracts/api/plain-text";
import { isExactNumber } from "#lib/contracts/exact-json";

/** The search index keeps no more of a value: a longer one is compared by its beginning. */
const LONGEST = 60;

/** Returns a search such as `data.status:failed`, without list indexes. Null if it isn't indexed: outside `data`, or not a scalar. */
export function filterFor(path: readonly (string | number)[], value: unknown): string | null {
  const [root, ...rest] = path;
  const names = rest.filter((key) => typeof key === "string");
  if (root !== "data" || names.length === 0 || (typeof value === "object" && !isExactNumber(value)) || value === undefined) return null;
  const text = String(value).trim();
  // A term can't contain a quote, and a key with a space or a colon is not a path.
  if (text === "" || text.includes('"') || names.some((name) => !/^[\p{L}\p{N}_-]+$/u.test(name))) return null;
  const term = text.length > LONGEST ? `${text.slice(0, LONGEST)}*` : text;
  return `data.${names.join(".")}:${/\s/.test(term) ? `"${term}"` : term}`;
}

/** `data.items[0].sku` */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join("");
}

export function countMatches(value: unknown, text: string): number {
  if (text === "") return 0;
  const needle = visible(text).toLowerCase();
  const matches = (shown: string) => visible(shown).toLowerCase().includes(needle);
  const walk = (at: unknown): number => {
    if (typeof at !== "object" || at === null || isExactNumber(at)) return Number(matches(String(at)));
    const own = Array.isArray(at) ? 0 : Object.keys(at).filter(matches).length;
    return Object.values(at).reduce((sum: number, child) => sum + walk(child), own);
  };
  return walk(value);
}

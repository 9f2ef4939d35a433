import { distance } from "fastest-levenshtein";

const SHOWN = 60;
/** Shorter names are the beginning of many. */
const SHORTEST_BEGINNING = 4;

export const shownName = (name: string): string => name.slice(0, SHOWN).toWellFormed();

/** Returns an error with the known name that was probably meant. `what`: "parameter", "field"; `shown`: the name with its path. */
export function unknownName(what: string, shown: string, name: string, known: readonly string[]): string {
  const said = `Unknown ${what} \`${shown}\`.`;
  if (known.length === 0) return `${said} This operation accepts no ${what}s.`;
  const nearest = nearestOf(shownName(name), known);
  return nearest === null ? `${said} Known: ${known.join(", ")}.` : `${said} Did you mean \`${nearest}\`?`;
}

/** Returns null if more than a third of the letters would change. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const [first] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || a.each.length - b.each.length);
  return first && first.distance <= Math.max(1, Math.round(first.each.length / 3)) ? first.each : null;
}

/** Counts letters to insert, remove or replace; a permutation or a beginning is one change. */
export const distanceOf = (a: string, b: string): number =>
  a !== b && (lettersOf(a) === lettersOf(b) || begins(a, b)) ? 1 : distance(a, b);

const lettersOf = (text: string) => [...text].sort().join("");
const begins = (a: string, b: string) => a.length >= SHORTEST_BEGINNING && b.startsWith(a);

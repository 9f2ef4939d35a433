import { distance } from "fastest-levenshtein";

/** A name as it came is repeated in the answer up to here. Characters. */
const SHOWN = 60;
/** A name of fewer letters is the beginning of many. */
const SHORTEST_BEGINNING = 4;

/** The name as an answer repeats it: cut, and storable. */
export const shownName = (name: string): string => name.slice(0, SHOWN).toWellFormed();

/**
 * An unknown name in words, with the known one that was most likely meant.
 *
 * @param what what the name is of: "parameter", "field"
 * @param shown the name as it is repeated, its path too
 */
export function unknownName(what: string, shown: string, name: string, known: readonly string[]): string {
  const said = `Unknown ${what} \`${shown}\`.`;
  if (known.length === 0) return `${said} This operation accepts no ${what}s.`;
  const nearest = nearestOf(shownName(name), known);
  return nearest === null ? `${said} Known: ${known.join(", ")}.` : `${said} Did you mean \`${nearest}\`?`;
}

/** The known name that a typo most likely meant; null where none is near: more than a third of its letters would change. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const [first] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || a.each.length - b.each.length);
  return first && first.distance <= Math.max(1, Math.ceil(first.each.length / 3)) ? first.each : null;
}

/** Returns how many letters to put in, take out or replace; the same letters in another order, and a beginning, are one change. */
export const distanceOf = (a: string, b: string): number =>
  a !== b && (lettersOf(a) === lettersOf(b) || begins(a, b)) ? 1 : distance(a, b);

const lettersOf = (text: string) => [...text].sort().join("");
const begins = (a: string, b: string) => a.length >= SHORTEST_BEGINNING && b.startsWith(a);

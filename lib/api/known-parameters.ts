import { distance } from "fastest-levenshtein";
import type * as z from "zod/mini";
import { AppError } from "#lib/contracts/api/app-error";

/** A name as it came is repeated in the answer up to here. Characters. */
const SHOWN = 60;

/**
 * Rejects parameters that the route does not declare: left out in silence, a mistyped filter would answer everything.
 *
 * @param query the declared query, an object's schema; without one the route takes no parameter
 * @throws AppError `invalid_request`, which names the nearest known parameter
 */
export function assertKnownParameters(query: z.ZodMiniType | undefined, names: string[]): void {
  const known = Object.keys((query as Partial<z.ZodMiniObject> | undefined)?.shape ?? {});
  const errors = names
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: name.slice(0, SHOWN).toWellFormed(), message: unknownParameter(name, known) }));
  if (errors.length > 0) throw new AppError("invalid_request", errors.map(({ message }) => message).join(" "), { errors });
}

function unknownParameter(name: string, known: string[]): string {
  const what = `Unknown parameter \`${name.slice(0, SHOWN).toWellFormed()}\`.`;
  if (known.length === 0) return `${what} This operation takes no parameters.`;
  const nearest = nearestOf(name.slice(0, SHOWN), known);
  return nearest === null ? `${what} Known: ${known.join(", ")}.` : `${what} Did you mean \`${nearest}\`?`;
}

/** The known name that a typo most likely meant; null where none is near: more than a third of its letters would change. */
function nearestOf(name: string, known: string[]): string | null {
  const [first] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return first && first.distance <= Math.max(1, Math.ceil(first.each.length / 3)) ? first.each : null;
}

/** How many letters to put in, take out or replace; the same letters in another order are one change. */
const distanceOf = (a: string, b: string): number => (a !== b && lettersOf(a) === lettersOf(b) ? 1 : distance(a, b));

const lettersOf = (text: string) => [...text].sort().join("");

import { storableText } from "./storable.ts";

const MAX_REST = 40;
const PREFIX = "data.";
/** Stands for the fields beyond the bound, so that nothing is hidden without a word. */
const MORE = `${PREFIX}…`;

/**
 * What of an event's data no view has understood, under the platform's own
 * names: whole fields, and of an object that was read in part the other parts.
 *
 * @param used the paths that were read: `documentId`, `error.code`
 * @returns at most 40 fields; the last one says how many more there are
 */
export function restOf(data: Record<string, unknown>, used: string[]): { field: string; value: unknown }[] {
  const rest = remaining(data, "", used);
  if (rest.length <= MAX_REST) return rest;
  const more = rest.length - MAX_REST + 1;
  return [...rest.slice(0, MAX_REST - 1), { field: MORE, value: `${more} more fields: see the event` }];
}

function remaining(value: Record<string, unknown>, path: string, used: string[]): { field: string; value: unknown }[] {
  return Object.entries(value).flatMap(([key, part]) => {
    const at = `${path}${key}`;
    if (used.includes(at)) return [];
    const readInPart = used.some((each) => each.startsWith(`${at}.`));
    if (readInPart && typeof part === "object" && part !== null && !Array.isArray(part))
      return remaining(part as Record<string, unknown>, `${at}.`, used);
    return [{ field: `${PREFIX}${storableText(at).slice(0, 100).toWellFormed()}`, value: part }];
  });
}

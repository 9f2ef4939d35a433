import { isObject } from "#lib/contracts/json/exact-json";
import type { NamedPaths } from "#lib/views/definition/named-paths";
import { FREE_PREFIX } from "./free-fields.ts";
import { registerText } from "./storable.ts";

const MAX_REST = 40;
/** Stands for the fields beyond the bound, so that nothing is hidden without a word. */
const MORE = `${FREE_PREFIX}…`;

/**
 * Returns what of an event's data no view has understood, under the platform's own
 * names: whole fields, and of an object that holds known facts the other parts.
 *
 * @param named the paths of known facts, which are never repeated here
 * @param used the paths that were read whole: `documentId`, `assignee`
 * @returns at most 40 fields; the last one says how many more there are
 */
export function restOf(
  data: Record<string, unknown>,
  named: Pick<NamedPaths, "paths" | "containers">,
  used: ReadonlySet<string>,
): { field: string; value: unknown }[] {
  const rest = remaining(data, "", named, used);
  if (rest.length <= MAX_REST) return rest;
  const more = rest.length - MAX_REST + 1;
  return [...rest.slice(0, MAX_REST - 1), { field: MORE, value: `${more} more fields: see the event` }];
}

function remaining(
  value: Record<string, unknown>,
  path: string,
  named: Pick<NamedPaths, "paths" | "containers">,
  used: ReadonlySet<string>,
): { field: string; value: unknown }[] {
  return Object.entries(value).flatMap(([key, part]) => {
    const at = `${path}${key}`;
    if (used.has(at)) return [];
    if (named.containers.has(at) && isObject(part)) return remaining(part, `${at}.`, named, used);
    if (named.paths.has(at)) return [];
    return [{ field: `${FREE_PREFIX}${registerText(at).slice(0, 100).toWellFormed()}`, value: part }];
  });
}

import { isObject } from "#lib/contracts/json/exact-json";
import type { NamedPaths } from "#lib/views/definition/named-paths";
import { FREE_PREFIX } from "./free-fields.ts";
import { registerText } from "./storable.ts";

const MAX_REST = 40;
/** Represents the fields beyond the bound, so that nothing is hidden without a note. */
const MORE = `${FREE_PREFIX}…`;

/** Returns up to 40 fields without known facts (`named`) and paths that were read (`used`); the last one tells how many more there are. */
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

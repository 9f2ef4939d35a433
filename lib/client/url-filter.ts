import { readFilterValue } from "#lib/contracts/api/filter-value";
import type { FilterOf, Filters } from "#lib/contracts/api/filters";
import type { Step } from "./history.ts";

/** In a page's URL: no value, where leaving the filter out would mean its fallback. */
const ALL = "all";

/**
 * The filter of a list from its page's URL. Invalid values are left out: a
 * mistyped link shows more, never an error.
 */
export function readFilter<F extends Filters>(filters: F, params: URLSearchParams): FilterOf<F> {
  const entries = Object.entries(filters).map(([name, { value, fallback }]) => {
    const said = params.getAll(name);
    const read = readFilterValue(value, said);
    return [name, read !== undefined || fallback === undefined || said[0] === ALL ? read : readFilterValue(value, [fallback])];
  });
  return compact(Object.fromEntries(entries));
}

/** The filter as a query of the API; `extra` is added (`limit`, `cursor`). */
export function writeFilter<F extends Filters>(
  filters: F,
  filter: FilterOf<F>,
  extra: Record<string, string | null | undefined> = {},
): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of Object.keys(filters)) for (const value of valuesOf(filter[name])) params.append(name, value);
  for (const [name, value] of Object.entries(extra)) if (value) params.set(name, value);
  return params;
}

/** The URL of the list's page with that filter. */
export function filterHref<F extends Filters>(
  path: string,
  filters: F,
  filter: FilterOf<F>,
  extra?: Record<string, string | null>,
): string {
  const params = writeFilter(filters, filter, extra);
  for (const [name, { fallback }] of Object.entries(filters)) {
    if (fallback === undefined) continue;
    if (params.getAll(name).join() === fallback) params.delete(name);
    else if (!params.has(name)) params.set(name, ALL);
  }
  return params.size === 0 ? path : `${path}?${params}`;
}

/** A filter without its empty parts, so that equal filters have equal query keys. */
export const compact = <T extends object>(filter: T): T =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => valuesOf(value).length > 0)) as T;

export const isEmptyFilter = (filter: object): boolean => Object.keys(compact(filter)).length === 0;

/** Returns what a change of the filter is to Back: part of a step where what is typed is all that differs. */
export function stepOf<F extends Filters>(filters: F, before: FilterOf<F>, after: FilterOf<F>): Step {
  const changed = Object.keys(filters).filter((name) => String(valuesOf(before[name])) !== String(valuesOf(after[name])));
  const typed = changed.every((name) => filters[name]?.value.kind === "text" && filters[name]?.input?.as !== "select");
  return changed.length > 0 && typed ? "part" : "own";
}

const valuesOf = (value: unknown): string[] =>
  [value ?? []]
    .flat()
    .map(String)
    .filter((text) => text !== "");

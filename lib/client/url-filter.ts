import type { Step } from "#lib/client/history";
import { type FilterOf, type Filters, readFilterValue } from "#lib/contracts/api/filters";

/** Value in a URL for no value, since leaving the filter out means its fallback. */
const ALL = "all";

/** Reads a list's filter from its URL. Invalid values are left out: a mistyped link shows more, never an error. */
export function readFilter<F extends Filters>(filters: F, params: URLSearchParams): FilterOf<F> {
  const entries = Object.entries(filters).map(([name, { value, fallback }]) => {
    const said = params.getAll(name);
    const read = readFilterValue(value, said);
    return [name, read !== undefined || fallback === undefined || said[0] === ALL ? read : readFilterValue(value, [fallback])];
  });
  return compact(Object.fromEntries(entries));
}

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

/** Removes empty parts, so that equal filters have equal query keys. */
export const compact = <T extends object>(filter: T): T =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => valuesOf(value).length > 0)) as T;

export const isEmptyFilter = (filter: object): boolean => Object.keys(compact(filter)).length === 0;

/** Returns the change's effect on Back: part of a run if only typed text differs. */
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

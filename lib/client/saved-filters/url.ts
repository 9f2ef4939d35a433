import type { SavedFilter } from "#lib/contracts/saved-filters/saved-filters";

type Parameters = SavedFilter["filter"];

/** The URL of the page with a saved filter. */
export function savedFilterHref({ page, filter }: Pick<SavedFilter, "page" | "filter">): string {
  const params = new URLSearchParams(Object.entries(filter).flatMap(([name, values]) => values.map((value) => [name, value])));
  return `/${page}?${params}`;
}

/** The parameters of a list's URL that are in it, in the form in which they are saved. */
export const parametersOf = (params: URLSearchParams): Parameters =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]));

/** True where both ask for the same, in whatever order. */
export const isSameFilter = (one: Parameters, other: Parameters): boolean => textOf(one) === textOf(other);

const textOf = (filter: Parameters) =>
  JSON.stringify(
    Object.entries(filter)
      .map(([name, values]) => [name, [...values].sort()])
      .sort(),
  );

import type { SavedFilter } from "#lib/contracts/saved-filters/saved-filters";

type Parameters = SavedFilter["filter"];

export function savedFilterHref({ page, filter }: Pick<SavedFilter, "page" | "filter">): string {
  const params = new URLSearchParams(Object.entries(filter).flatMap(([name, values]) => values.map((value) => [name, value])));
  return `/${page}?${params}`;
}

export const parametersOf = (params: URLSearchParams): Parameters =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]));

/** True if both select the same, in any order. */
export const isSameFilter = (one: Parameters, other: Parameters): boolean => textOf(one) === textOf(other);

const textOf = (filter: Parameters) =>
  JSON.stringify(
    Object.entries(filter)
      .map(([name, values]) => [name, [...values].sort()])
      .sort(),
  );

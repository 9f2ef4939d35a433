import type { ChangeSavedFilterBody, CreateSavedFilterBody, SavedFilter } from "#lib/contracts/saved-filters";
import { call, reading, useChange } from "./queries/api.ts";
import { KEYS } from "./queries/keys.ts";

const FRESH_MS = 60_000;

export const savedFiltersQuery = { ...reading(KEYS.savedFilters, "GET /api/v1/saved-filters"), staleTime: FRESH_MS };

type Change = { create: CreateSavedFilterBody } | { id: string; change: ChangeSavedFilterBody } | { remove: string };

export const useChangeSavedFilter = () =>
  useChange(
    async (change: Change): Promise<SavedFilter | null> => {
      if ("create" in change) return call("POST /api/v1/saved-filters", { body: change.create });
      if ("remove" in change) return call("DELETE /api/v1/saved-filters/{id}", { id: change.remove });
      return call("PATCH /api/v1/saved-filters/{id}", { id: change.id, body: change.change });
    },
    [KEYS.savedFilters],
  );

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

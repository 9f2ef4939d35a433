import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChangeSavedFilterBody, CreateSavedFilterBody, SavedFilter } from "#lib/contracts/saved-filters";
import { apiFetch, apiSend, contract } from "./fetcher.ts";
import { invalidate, KEYS } from "./queries/keys.ts";

const PATH = "/api/v1/saved-filters";
const FRESH_MS = 60_000;

const savedFiltersContract = contract(() => import("#lib/contracts/saved-filters"));

export const savedFiltersQuery = queryOptions({
  queryKey: KEYS.savedFilters,
  queryFn: ({ signal }) => apiFetch(savedFiltersContract("savedFilterList"), PATH, { signal }),
  staleTime: FRESH_MS,
});

type Change = { create: CreateSavedFilterBody } | { id: string; change: ChangeSavedFilterBody } | { remove: string };

export function useChangeSavedFilter() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: Change): Promise<SavedFilter | null> => {
      if ("create" in change) return apiSend(savedFiltersContract("savedFilter"), "POST", PATH, change.create);
      if ("remove" in change) return apiSend(null, "DELETE", `${PATH}/${encodeURIComponent(change.remove)}`);
      return apiSend(savedFiltersContract("savedFilter"), "PATCH", `${PATH}/${encodeURIComponent(change.id)}`, change.change);
    },
    onSuccess: () => invalidate(queries, KEYS.savedFilters),
  });
}

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

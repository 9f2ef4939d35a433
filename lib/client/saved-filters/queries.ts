import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { ChangeSavedFilterBody, CreateSavedFilterBody, SavedFilter } from "#lib/contracts/saved-filters/saved-filters";

const PATH = "/api/v1/saved-filters";
const FRESH_MS = 60_000;

const savedFiltersContract = contract(() => import("#lib/contracts/saved-filters/saved-filters"));

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

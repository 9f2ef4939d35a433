import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";
import { retention } from "#lib/contracts/events/retention";

export const retentionQuery = queryOptions({
  queryKey: [...KEYS.settings, "retention"] as const,
  queryFn: ({ signal }) => apiFetch(retention, "/api/v1/retention", { signal }),
});

export const useRetention = () => useQuery(retentionQuery);

/** Sets for how many days events are kept. */
export function useSetRetention() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (days: number) => apiSend(retention, "PUT", "/api/v1/retention", { days }),
    onSuccess: (data) => queries.setQueryData(retentionQuery.queryKey, data),
  });
}

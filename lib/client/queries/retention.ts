import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const retentionContract = contract(() => import("#lib/contracts/events/retention"));

export const retentionQuery = queryOptions({
  queryKey: [...KEYS.settings, "retention"] as const,
  queryFn: ({ signal }) => apiFetch(retentionContract("retention"), "/api/v1/retention", { signal }),
});

export const useRetention = () => useQuery(retentionQuery);

export function useSetRetention() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (days: number) => apiSend(retentionContract("retention"), "PUT", "/api/v1/retention", { days }),
    onSuccess: (data) => queries.setQueryData(retentionQuery.queryKey, data),
  });
}

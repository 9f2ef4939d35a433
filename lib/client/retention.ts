import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetcher";
import { retention } from "#lib/contracts/retention";

const retentionQuery = queryOptions({
  queryKey: ["settings", "retention"] as const,
  queryFn: ({ signal }) => apiFetch(retention, "/api/v1/retention", { signal }),
});

export const useRetention = () => useQuery(retentionQuery);

/** Sets how many days events are kept. */
export function useSetRetention() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (days: number) => apiSend(retention, "PUT", "/api/v1/retention", { days }),
    onSuccess: (data) => queries.setQueryData(retentionQuery.queryKey, data),
  });
}

import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { Page } from "#lib/contracts/api/paging";
import type { Outage } from "#lib/contracts/outages";

const outagesContract = contract(() => import("#lib/contracts/outages"));

export const outagesQuery = infiniteQueryOptions({
  queryKey: [...KEYS.settings, "outages"] as const,
  queryFn: ({ pageParam, signal }): Promise<Page<Outage>> =>
    apiFetch(outagesContract("outagePage"), `/api/v1/outages${pageParam === null ? "" : `?cursor=${encodeURIComponent(pageParam)}`}`, {
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export const useOutages = () => useInfiniteQuery(outagesQuery);

export function useDismissOutages() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (until: string) => apiSend(null, "POST", "/api/v1/outages/dismissals", { until }),
    onSuccess: () => invalidate(queries, outagesQuery.queryKey, KEYS.overview),
  });
}

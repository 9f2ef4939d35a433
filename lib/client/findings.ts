import { infiniteQueryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Finding, type FindingResource, type FindingState, finding, findingPage } from "#lib/contracts/findings";
import type { Page } from "#lib/contracts/paging";
import { apiFetch, apiSend } from "./fetcher.ts";

/** What never came, 50 at a time, the newest suspicion first. */
export const findingsQuery = (state: FindingState) =>
  infiniteQueryOptions({
    queryKey: ["findings", "list", state] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<Finding>> =>
      apiFetch(findingPage, `/api/v1/findings?${new URLSearchParams({ state, ...(pageParam === null ? {} : { cursor: pageParam }) })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

const OF_ONE = "5";

/** The open findings of one resource, five at most. */
export const useFindingsOf = ({ kind, id }: FindingResource) =>
  useQuery({
    queryKey: ["findings", "of", kind, id] as const,
    queryFn: async ({ signal }) =>
      (await apiFetch(findingPage, `/api/v1/findings?${new URLSearchParams({ resource: `${kind}:${id}`, limit: OF_ONE })}`, { signal }))
        .data,
  });

/** Sets a finding aside. */
export function useDismissFinding() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(finding, "POST", `/api/v1/findings/${encodeURIComponent(id)}/dismiss`),
    onSettled: () => Promise.all([["findings"], ["overview"], ["counts"]].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Page } from "#lib/contracts/paging";
import { admitResult, type QuarantineItem, quarantineDetail, quarantinePage } from "#lib/contracts/quarantine";
import { apiFetch, apiSend } from "./fetcher.ts";

const entryPath = (id: string) => `/api/v1/quarantine/${encodeURIComponent(id)}`;

/** Refused requests, newest first, 50 at a time. */
export const quarantineQuery = infiniteQueryOptions({
  queryKey: ["quarantine"] as const,
  queryFn: ({ pageParam, signal }): Promise<Page<QuarantineItem>> =>
    apiFetch(quarantinePage, `/api/v1/quarantine${pageParam === null ? "" : `?cursor=${encodeURIComponent(pageParam)}`}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One refused request with its body. */
export const quarantineEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ["quarantine-entry", id] as const,
    queryFn: ({ signal }) => apiFetch(quarantineDetail, entryPath(id), { signal }),
  });

/** Verifies a refused request again; throws with the reason when it still does not pass. */
export function useAdmit(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(admitResult, "POST", `${entryPath(id)}/admit`),
    onSettled: () =>
      Promise.all(
        [["quarantine"], ["quarantine-entry", id], ["events"], ["overview"]].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
}

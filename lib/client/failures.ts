import { infiniteQueryOptions } from "@tanstack/react-query";
import { type FailureItem, failurePage } from "#lib/contracts/events";
import type { Page } from "#lib/contracts/paging";
import { apiFetch } from "./fetcher.ts";

/** What failed, newest first, 50 at a time. */
export const failuresQuery = infiniteQueryOptions({
  queryKey: ["failures"] as const,
  queryFn: ({ pageParam, signal }): Promise<Page<FailureItem>> =>
    apiFetch(failurePage, `/api/v1/failures${pageParam === null ? "" : `?cursor=${encodeURIComponent(pageParam)}`}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

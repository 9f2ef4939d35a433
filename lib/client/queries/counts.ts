import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const overviewContract = contract(() => import("#lib/contracts/overview"));

/** Quarantined requests and silence have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

export const countsQuery = queryOptions({
  queryKey: KEYS.counts,
  queryFn: ({ signal }) => apiFetch(overviewContract("counts"), "/api/v1/overview/counts", { signal }),
  refetchInterval: POLL_MS,
});

export const useCounts = () => useQuery(countsQuery);

import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const overviewContract = contract(() => import("#lib/contracts/overview"));

/** Quarantined requests and silence send no frame: what the feed does not report is polled this often. */
const POLL_MS = 15_000;

/** The counts in the navigation. */
export const countsQuery = queryOptions({
  queryKey: KEYS.counts,
  queryFn: ({ signal }) => apiFetch(overviewContract("counts"), "/api/v1/overview/counts", { signal }),
  refetchInterval: POLL_MS,
});

export const useCounts = () => useQuery(countsQuery);

import { queryOptions, useQuery } from "@tanstack/react-query";
import { lazyFetch } from "#lib/client/fetch/lazy-fetch";
import { KEYS } from "#lib/client/queries/keys";

const counts = () => import("#lib/contracts/overview").then((module) => module.counts);

/** Quarantined requests and silence send no frame: what the feed does not report is polled this often. */
const POLL_MS = 15_000;

/** The counts in the navigation. */
export const countsQuery = queryOptions({
  queryKey: KEYS.counts,
  queryFn: ({ signal }) => lazyFetch(counts, "/api/v1/overview/counts", { signal }),
  refetchInterval: POLL_MS,
});

export const useCounts = () => useQuery(countsQuery);

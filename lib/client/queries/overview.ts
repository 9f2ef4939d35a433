import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const overviewContract = contract(() => import("#lib/contracts/overview"));

/** Quarantined requests and silence have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

export const overviewQuery = queryOptions({
  queryKey: KEYS.overview,
  queryFn: ({ signal }) => apiFetch(overviewContract("overview"), "/api/v1/overview", { signal }),
  refetchInterval: POLL_MS,
});

export const useOverview = () => useQuery(overviewQuery);

export const changesQuery = queryOptions({
  queryKey: [...KEYS.overview, "changes"],
  queryFn: ({ signal }) => apiFetch(overviewContract("changes"), "/api/v1/overview/changes", { signal }),
});

import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch } from "#lib/client/fetcher";
import { changes, overview } from "#lib/contracts/overview";

/** Refusals and silence send no frame: what the feed does not tell is asked for this often. */
const POLL_MS = 15_000;

/** Is all well: what the overview page shows. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => apiFetch(overview, "/api/v1/overview", { signal }),
  refetchInterval: POLL_MS,
});

export const useOverview = () => useQuery(overviewQuery);

/** What is new since this person last looked. */
export const changesQuery = queryOptions({
  queryKey: ["overview", "changes"],
  queryFn: ({ signal }) => apiFetch(changes, "/api/v1/overview/changes", { signal }),
});

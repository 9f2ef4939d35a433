import { queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import type { Listener } from "#lib/contracts/events/listeners";

const listenersContract = contract(() => import("#lib/contracts/events/listeners"));

/** Listeners have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

export const listenersQuery = queryOptions({
  queryKey: ["listeners"] as const,
  queryFn: async ({ signal }): Promise<Listener[]> =>
    (await apiFetch(listenersContract("listenerList"), "/api/v1/listeners", { signal })).data,
  refetchInterval: POLL_MS,
});

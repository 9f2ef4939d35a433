import { useQuery } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";

const deliveriesContract = contract(() => import("#lib/contracts/forwarding/deliveries"));

/** Responses of destinations have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

/** Reads at most 200: one for each destination. */
export const useEventDeliveries = (event: string) =>
  useQuery({
    queryKey: ["deliveries", "of-event", event] as const,
    queryFn: async ({ signal }): Promise<Delivery[]> =>
      (await apiFetch(deliveriesContract("deliveryPage"), `/api/v1/deliveries?event=${encodeURIComponent(event)}&limit=200`, { signal }))
        .data,
    refetchInterval: ({ state }) => (state.data?.some(({ finishedAt }) => finishedAt === null) ? POLL_MS : false),
  });

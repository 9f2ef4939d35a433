import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import { call, changing, changingSecret, reading, readingPages, readingRows, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Responses of destinations have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

export const destinationsQuery = { ...readingRows(KEYS.destinations, "GET /api/v1/destinations"), refetchInterval: POLL_MS };

export const destinationQuery = (id: string) => ({
  ...reading([...KEYS.destination, id], "GET /api/v1/destinations/{id}", { id }),
  refetchInterval: POLL_MS,
});

type DeliveriesOf = { destination: string; states: DeliveryState[] };

export const deliveriesQuery = ({ destination, states }: DeliveriesOf) => ({
  ...readingPages([...KEYS.deliveries, { of: destination, states }], "GET /api/v1/deliveries", { query: { state: states, destination } }),
  placeholderData: keepPreviousData,
  refetchInterval: POLL_MS,
});

export const deliveryQuery = (id: string) => ({
  ...reading(["delivery", id], "GET /api/v1/deliveries/{id}", { id }),
  refetchInterval: POLL_MS,
});

const SHOWN = [KEYS.destinations, KEYS.destination, KEYS.deliveries, ["delivery"], KEYS.counts, KEYS.overview];

export const useCreateDestination = changingSecret("POST /api/v1/destinations", SHOWN);
export const useChangeDestination = changing("PATCH /api/v1/destinations/{id}", SHOWN);
export const usePauseDestination = changing("POST /api/v1/destinations/{id}/pause", SHOWN);
export const useResumeDestination = changing("POST /api/v1/destinations/{id}/resume", SHOWN);
export const useTestDestination = changing("POST /api/v1/destinations/{id}/test", []);
export const useRotateDestinationSecret = changingSecret("POST /api/v1/destinations/{id}/rotate", SHOWN);
/** Only lists are fetched: the page of a deleted destination must not request it again. */
export function useDeleteDestination(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call("DELETE /api/v1/destinations/{id}", { id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS.destinations }),
  });
}
export const useRetryDelivery = changing("POST /api/v1/deliveries/{id}/retry", SHOWN);
export const usePreviewFilter = changing("POST /api/v1/destinations/preview", []);

type Filter = DeliveryRetriesBody["filter"];

export const retriesDryRunQuery = (filter: Filter) =>
  queryOptions({
    queryKey: [...KEYS.deliveries, "retries", filter],
    queryFn: () => call("POST /api/v1/deliveries/retries 200", { body: { filter, dryRun: true }, asks: true }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export const useStartRetries = () =>
  useChange((filter: Filter) => call("POST /api/v1/deliveries/retries 202", { body: { filter } }), [KEYS.operations, KEYS.deliveries]);

export const listenersQuery = { ...readingRows(["listeners"], "GET /api/v1/listeners"), refetchInterval: POLL_MS };

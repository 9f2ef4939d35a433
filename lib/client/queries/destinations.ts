import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import type { ChangeDestinationBody, CreateDestinationBody, FilterPreviewBody, HeldChoice } from "#lib/contracts/forwarding/destinations";
import { call, reading, readingPages, readingRows, useChange, useSecretChange } from "./api.ts";
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

export const useCreateDestination = () =>
  useSecretChange((body: CreateDestinationBody) => call("POST /api/v1/destinations", { body }), SHOWN);
export const useChangeDestination = (id: string) =>
  useChange((body: ChangeDestinationBody) => call("PATCH /api/v1/destinations/{id}", { id, body }), SHOWN);
export const usePauseDestination = (id: string) => useChange(() => call("POST /api/v1/destinations/{id}/pause", { id }), SHOWN);
export const useResumeDestination = (id: string) =>
  useChange((held: HeldChoice) => call("POST /api/v1/destinations/{id}/resume", { id, body: { held } }), SHOWN);
export const useTestDestination = (id: string) => useMutation({ mutationFn: () => call("POST /api/v1/destinations/{id}/test", { id }) });
export const useRotateDestinationSecret = (id: string) =>
  useSecretChange((overlapHours: number) => call("POST /api/v1/destinations/{id}/rotate", { id, body: { overlapHours } }), SHOWN);
/** Only lists are fetched: the page of a deleted destination must not request it again. */
export function useDeleteDestination(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call("DELETE /api/v1/destinations/{id}", { id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS.destinations }),
  });
}
export const useRetryDelivery = (id: string) => useChange(() => call("POST /api/v1/deliveries/{id}/retry", { id }), SHOWN);
export const usePreviewFilter = () =>
  useMutation({ mutationFn: (body: FilterPreviewBody) => call("POST /api/v1/destinations/preview", { body }) });

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

import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiAsk, apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { Page } from "#lib/contracts/api/parameters";
import type { Listener } from "#lib/contracts/events/listeners";
import type { Delivery, DeliveryState } from "#lib/contracts/forwarding/deliveries";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";
import type {
  ChangeDestinationBody,
  CreateDestinationBody,
  Destination,
  FilterPreviewBody,
  HeldChoice,
} from "#lib/contracts/forwarding/destinations";
import { invalidate, KEYS } from "./keys.ts";

const deliveriesContract = contract(() => import("#lib/contracts/forwarding/deliveries"));
const destinationsContract = contract(() => import("#lib/contracts/forwarding/destinations"));

/** Responses of destinations have no frame in the feed. Milliseconds. */
const POLL_MS = 5000;

const ROOT = "/api/v1/destinations";
const path = (id: string) => `${ROOT}/${encodeURIComponent(id)}`;
const deliveryPath = (id: string) => `/api/v1/deliveries/${encodeURIComponent(id)}`;

export const destinationsQuery = queryOptions({
  queryKey: KEYS.destinations,
  queryFn: async ({ signal }): Promise<Destination[]> => (await apiFetch(destinationsContract("destinationList"), ROOT, { signal })).data,
  refetchInterval: POLL_MS,
});

export const destinationQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.destination, id] as const,
    queryFn: ({ signal }) => apiFetch(destinationsContract("destination"), path(id), { signal }),
    refetchInterval: POLL_MS,
  });

type DeliveriesOf = { destination: string; states: DeliveryState[] };

export const deliveriesQuery = ({ destination: of, states }: DeliveriesOf) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.deliveries, { of, states }] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<Delivery>> => {
      const params = new URLSearchParams(states.map((state) => ["state", state]));
      params.set("destination", of);
      if (pageParam) params.set("cursor", pageParam);
      return apiFetch(deliveriesContract("deliveryPage"), `/api/v1/deliveries?${params}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["delivery", id] as const,
    queryFn: ({ signal }) => apiFetch(deliveriesContract("deliveryDetail"), deliveryPath(id), { signal }),
    refetchInterval: POLL_MS,
  });

/** `waits` false: done before the pages show it, for responses with a secret. */
function useChange<In, Out>(change: (input: In) => Promise<Out>, waits = true) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      const shown = invalidate(queries, ["destinations"], ["destination"], ["deliveries"], ["delivery"], KEYS.counts, KEYS.overview);
      return waits ? shown : undefined;
    },
  });
}

export const useCreateDestination = () =>
  useChange((body: CreateDestinationBody) => apiSend(destinationsContract("createdDestination"), "POST", ROOT, body), false);
export const useChangeDestination = (id: string) =>
  useChange((body: ChangeDestinationBody) => apiSend(destinationsContract("destination"), "PATCH", path(id), body));
export const usePauseDestination = (id: string) =>
  useChange(() => apiSend(destinationsContract("destination"), "POST", `${path(id)}/pause`));
export const useResumeDestination = (id: string) =>
  useChange((held: HeldChoice) => apiSend(destinationsContract("resumedDestination"), "POST", `${path(id)}/resume`, { held }));
export const useTestDestination = (id: string) =>
  useMutation({ mutationFn: () => apiSend(destinationsContract("destinationTest"), "POST", `${path(id)}/test`) });
export const useRotateDestinationSecret = (id: string) =>
  useChange(
    (overlapHours: number) => apiSend(destinationsContract("rotatedDestinationSecret"), "POST", `${path(id)}/rotate`, { overlapHours }),
    false,
  );
/** Only lists are fetched: the page of a deleted destination must not request it again. */
export function useDeleteDestination(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(destinationsContract("deletedDestination"), "DELETE", path(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["destinations"] }),
  });
}
export const useRetryDelivery = (id: string) =>
  useChange(() => apiSend(deliveriesContract("deliveryDetail"), "POST", `${deliveryPath(id)}/retry`));
export const usePreviewFilter = () =>
  useMutation({ mutationFn: (body: FilterPreviewBody) => apiSend(destinationsContract("filterPreview"), "POST", `${ROOT}/preview`, body) });

const deliveryRetriesContract = contract(() => import("#lib/contracts/forwarding/delivery-retries"));
const operationsContract = contract(() => import("#lib/contracts/operations"));

type Filter = DeliveryRetriesBody["filter"];
const PATH = "/api/v1/deliveries/retries";

export const retriesDryRunQuery = (filter: Filter) =>
  queryOptions({
    queryKey: [...KEYS.deliveries, "retries", filter] as const,
    queryFn: () => apiAsk(deliveryRetriesContract("retriesDryRun"), PATH, { filter, dryRun: true }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export function useStartRetries() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (filter: Filter) => apiSend(operationsContract("operation"), "POST", PATH, { filter }),
    onSettled: () => invalidate(queries, KEYS.operations, KEYS.deliveries),
  });
}

const listenersContract = contract(() => import("#lib/contracts/events/listeners"));

export const listenersQuery = queryOptions({
  queryKey: ["listeners"] as const,
  queryFn: async ({ signal }): Promise<Listener[]> =>
    (await apiFetch(listenersContract("listenerList"), "/api/v1/listeners", { signal })).data,
  refetchInterval: POLL_MS,
});

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { DeliveryRetriesBody } from "#lib/contracts/forwarding/delivery-retries";

const deliveryRetriesContract = contract(() => import("#lib/contracts/forwarding/delivery-retries"));
const operationsContract = contract(() => import("#lib/contracts/operations/operations"));

type Filter = DeliveryRetriesBody["filter"];
const PATH = "/api/v1/deliveries/retries";

export const retriesDryRunQuery = (filter: Filter) =>
  queryOptions({
    queryKey: [...KEYS.deliveries, "retries", filter] as const,
    queryFn: () => apiSend(deliveryRetriesContract("retriesDryRun"), "POST", PATH, { filter, dryRun: true }),
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

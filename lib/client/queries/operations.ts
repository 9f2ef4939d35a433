import { type QueryKey, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { isUnderWay } from "#lib/contracts/operation-states";
import type { Operation, OperationKind } from "#lib/contracts/operations";

const operationsContract = contract(() => import("#lib/contracts/operations"));

export const LOOK_MS = 700;

const path = (id: string, action = "") => `/api/v1/operations/${encodeURIComponent(id)}${action}`;

export const operationQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.operations, id] as const,
    queryFn: ({ signal }) => apiFetch(operationsContract("operation"), path(id), { signal }),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : LOOK_MS),
  });

export const newestOperationQuery = (kind: OperationKind) =>
  queryOptions({
    queryKey: [...KEYS.operations, "newest", kind] as const,
    queryFn: async ({ signal }) =>
      (await apiFetch(operationsContract("operationPage"), `/api/v1/operations?kind=${kind}&limit=1`, { signal })).data[0] ?? null,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_MS : false),
  });

/** Lists that show operations of a kind among their own. */
const LISTS: Record<OperationKind, QueryKey[]> = {
  redelivery: [KEYS.redeliveries],
  rebuild: [KEYS.settings],
  release: [KEYS.quarantine, KEYS.quarantined],
  export: [],
  retry: [KEYS.deliveries, KEYS.destinations],
  relearn: [],
};

export function useOperationActions({ id, kind }: Pick<Operation, "id" | "kind">) {
  const queries = useQueryClient();
  const settled = {
    onSuccess: (latest: Operation) => queries.setQueryData(operationQuery(id).queryKey, latest),
    onSettled: () => invalidate(queries, KEYS.operations, ...LISTS[kind]),
  };
  const stop = useMutation({ mutationFn: () => apiSend(operationsContract("operation"), "POST", path(id, "/stop")), ...settled });
  const resume = useMutation({ mutationFn: () => apiSend(operationsContract("operation"), "POST", path(id, "/resume")), ...settled });
  return { stop, resume };
}

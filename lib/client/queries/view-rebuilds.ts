import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { LOOK_MS } from "#lib/client/queries/operations";
import { isUnderWay, operationOfRebuild } from "#lib/contracts/operations/operation-states";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";

const viewRebuildsContract = contract(() => import("#lib/contracts/view-rebuilds"));

export const isRebuilding = (rebuild: ViewRebuild): boolean => isUnderWay(operationOfRebuild(rebuild));

export const rebuildsQuery = queryOptions({
  queryKey: [...KEYS.settings, "view-rebuilds"] as const,
  queryFn: async ({ signal }) => (await apiFetch(viewRebuildsContract("viewRebuildList"), "/api/v1/views/rebuilds", { signal })).data,
});

export const useRebuilds = () =>
  useQuery({ ...rebuildsQuery, refetchInterval: ({ state }) => (state.data?.some(isRebuilding) ? LOOK_MS : false) });

export function useStartRebuild() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (dryRun: boolean) => apiSend(viewRebuildsContract("viewRebuild"), "POST", "/api/v1/views/rebuilds", { dryRun }),
    onSettled: () => invalidate(queries, rebuildsQuery.queryKey),
  });
}

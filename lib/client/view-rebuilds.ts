import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetcher";
import { type ViewRebuild, viewRebuild, viewRebuildList } from "#lib/contracts/view-rebuilds";

const LOOK_MS = 700;

/** True while it waits or runs. */
export const isUnderWay = ({ state }: ViewRebuild): boolean => state === "queued" || state === "running";

export const rebuildsQuery = queryOptions({
  queryKey: ["settings", "view-rebuilds"] as const,
  queryFn: async ({ signal }) => (await apiFetch(viewRebuildList, "/api/v1/views/rebuilds", { signal })).data,
});

/** The latest rebuilds, newest first; asked for again and again while one is under way. */
export const useRebuilds = () =>
  useQuery({ ...rebuildsQuery, refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_MS : false) });

/** Starts a check (`dryRun`) or a rebuild. */
export function useStartRebuild() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (dryRun: boolean) => apiSend(viewRebuild, "POST", "/api/v1/views/rebuilds", { dryRun }),
    onSettled: () => queries.invalidateQueries({ queryKey: rebuildsQuery.queryKey }),
  });
}

/** Asks one to stop. */
export function useStopRebuild() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", `/api/v1/views/rebuilds/${encodeURIComponent(id)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: rebuildsQuery.queryKey }),
  });
}

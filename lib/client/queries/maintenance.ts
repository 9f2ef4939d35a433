import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { Backup } from "#lib/contracts/backups";
import { isUnderWay, operationOfRebuild } from "#lib/contracts/operation-states";
import type { ViewRebuild } from "#lib/contracts/views";
import { invalidate, KEYS } from "./keys.ts";
import { LOOK_MS } from "./operations.ts";

const backupsContract = contract(() => import("#lib/contracts/backups"));

const BACKUP_LOOK_MS = 1000;
const PATH = "/api/v1/backups";

export const isBackupUnderWay = ({ state }: Backup): boolean => state === "queued" || state === "running";

export const backupsQuery = queryOptions({
  queryKey: ["settings", "backups"] as const,
  queryFn: ({ signal }) => apiFetch(backupsContract("backupList"), PATH, { signal }),
});

export const useBackups = () =>
  useQuery({ ...backupsQuery, refetchInterval: ({ state }) => (state.data?.data.some(isBackupUnderWay) ? BACKUP_LOOK_MS : false) });

export function useStartBackup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(backupsContract("backup"), "POST", PATH),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  });
}

export function useStopBackup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(null, "DELETE", PATH),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  });
}

const viewRebuildsContract = contract(() => import("#lib/contracts/views"));

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

const retentionContract = contract(() => import("#lib/contracts/events/retention"));

export const retentionQuery = queryOptions({
  queryKey: [...KEYS.settings, "retention"] as const,
  queryFn: ({ signal }) => apiFetch(retentionContract("retention"), "/api/v1/retention", { signal }),
});

export const useRetention = () => useQuery(retentionQuery);

export function useSetRetention() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (days: number) => apiSend(retentionContract("retention"), "PUT", "/api/v1/retention", { days }),
    onSuccess: (data) => queries.setQueryData(retentionQuery.queryKey, data),
  });
}

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import type { Backup } from "#lib/contracts/backups";

const backupsContract = contract(() => import("#lib/contracts/backups"));

const LOOK_MS = 1000;
const PATH = "/api/v1/backups";

export const isBackupUnderWay = ({ state }: Backup): boolean => state === "queued" || state === "running";

export const backupsQuery = queryOptions({
  queryKey: ["settings", "backups"] as const,
  queryFn: ({ signal }) => apiFetch(backupsContract("backupList"), PATH, { signal }),
});

export const useBackups = () =>
  useQuery({ ...backupsQuery, refetchInterval: ({ state }) => (state.data?.data.some(isBackupUnderWay) ? LOOK_MS : false) });

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

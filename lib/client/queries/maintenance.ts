import { useQuery } from "@tanstack/react-query";
import type { Backup } from "#lib/contracts/backups";
import { isUnderWay, operationOfRebuild } from "#lib/contracts/operation-states";
import type { ViewRebuild } from "#lib/contracts/views";
import { changing, reading, readingRows } from "./api.ts";
import { KEYS } from "./keys.ts";
import { LOOK_MS } from "./operations.ts";

const BACKUP_LOOK_MS = 1000;

export const isBackupUnderWay = ({ state }: Backup): boolean => state === "queued" || state === "running";

export const backupsQuery = reading(["settings", "backups"], "GET /api/v1/backups");

export const useBackups = () =>
  useQuery({ ...backupsQuery, refetchInterval: ({ state }) => (state.data?.data.some(isBackupUnderWay) ? BACKUP_LOOK_MS : false) });

export const useStartBackup = changing("POST /api/v1/backups", [backupsQuery.queryKey]);
export const useStopBackup = changing("DELETE /api/v1/backups", [backupsQuery.queryKey]);

export const isRebuilding = (rebuild: ViewRebuild): boolean => isUnderWay(operationOfRebuild(rebuild));

export const rebuildsQuery = readingRows([...KEYS.settings, "view-rebuilds"], "GET /api/v1/views/rebuilds");

export const useRebuilds = () =>
  useQuery({ ...rebuildsQuery, refetchInterval: ({ state }) => (state.data?.some(isRebuilding) ? LOOK_MS : false) });

export const useStartRebuild = changing("POST /api/v1/views/rebuilds", [rebuildsQuery.queryKey]);

export const retentionQuery = reading([...KEYS.settings, "retention"], "GET /api/v1/retention");

export const useRetention = () => useQuery(retentionQuery);

export const useSetRetention = changing("PUT /api/v1/retention", [], () => retentionQuery.queryKey);

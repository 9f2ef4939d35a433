import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { DismissalFilter, RestorationFilter } from "#lib/contracts/quarantine";

const quarantineContract = contract(() => import("#lib/contracts/quarantine"));

const SHOWN = [KEYS.quarantine, KEYS.quarantined, KEYS.overview, KEYS.counts] as const;

export function useDismiss() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (filter: DismissalFilter) =>
      apiSend(quarantineContract("dismissalResult"), "POST", "/api/v1/quarantine/dismissals", { filter }),
    onSettled: () => invalidate(queries, ...SHOWN),
  });
}

export function useRestore() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (filter: RestorationFilter) =>
      apiSend(quarantineContract("restorationResult"), "POST", "/api/v1/quarantine/restorations", { filter }),
    onSettled: () => invalidate(queries, ...SHOWN),
  });
}

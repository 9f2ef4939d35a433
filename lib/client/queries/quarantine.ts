import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import type { DismissalFilter, QuarantineItem, RestorationFilter } from "#lib/contracts/quarantine";
import {
  QUARANTINE_CAUSE_FILTERS,
  QUARANTINE_FILTERS,
  type QuarantineCauseFilter,
  type QuarantineFilter,
} from "#lib/contracts/quarantine-filters";
import { invalidate, KEYS } from "./keys.ts";

const quarantineContract = contract(() => import("#lib/contracts/quarantine"));

/** Quarantined requests have no frame in the feed. Milliseconds. */
const DIAGNOSES_POLL_MS = 10_000;
const SOON_MS = 2000;
/** In a flood some are always undiagnosed: this many polls are fast, the rest as usual. */
const MAX_SOON = 15;

const entryPath = (id: string) => `/api/v1/quarantine/${encodeURIComponent(id)}`;

export const quarantineListQuery = (filter: QuarantineFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.quarantine, filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<QuarantineItem>> =>
      apiFetch(
        quarantineContract("quarantinePage"),
        `/api/v1/quarantine?${writeFilter(QUARANTINE_FILTERS, filter, { cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

export const quarantineDiagnosesQuery = (filter: QuarantineCauseFilter) =>
  queryOptions({
    queryKey: [...KEYS.quarantine, "diagnoses", filter] as const,
    queryFn: ({ signal }) =>
      apiFetch(quarantineContract("quarantineDiagnoses"), `/api/v1/quarantine/diagnoses?${writeFilter(QUARANTINE_CAUSE_FILTERS, filter)}`, {
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < MAX_SOON && state.data?.data.some(({ code }) => code === null) ? SOON_MS : DIAGNOSES_POLL_MS,
    placeholderData: keepPreviousData,
  });

export const quarantineEntryQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.quarantined, id] as const,
    queryFn: ({ signal }) => apiFetch(quarantineContract("quarantineDetail"), entryPath(id), { signal }),
  });

/** Verifies a request again and releases it. Throws with the reason if it doesn't pass. */
export function useRelease(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(quarantineContract("releaseResult"), "POST", `${entryPath(id)}/release`),
    onSettled: () => invalidate(queries, KEYS.quarantine, quarantineEntryQuery(id).queryKey, KEYS.events, KEYS.overview),
  });
}

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

import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/paging";
import {
  QUARANTINE_CAUSE_FILTERS,
  QUARANTINE_FILTERS,
  type QuarantineCauseFilter,
  type QuarantineFilter,
} from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineItem } from "#lib/contracts/quarantine";

const quarantineContract = contract(() => import("#lib/contracts/quarantine"));

/** Quarantined requests send no frame to the feed. */
const DIAGNOSES_POLL_MS = 10_000;
const SOON_MS = 2000;
/** In a flood some are always waiting: so many looks are soon, the others as usual. */
const MAX_SOON = 15;

const entryPath = (id: string) => `/api/v1/quarantine/${encodeURIComponent(id)}`;

/** Quarantined requests that match, newest first, 50 at a time. */
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

/** Returns what is in quarantine and matches, by diagnosis; asked again soon while some of it was not looked at yet. */
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

/** One quarantined request with its body. */
export const quarantineEntryQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.quarantined, id] as const,
    queryFn: ({ signal }) => apiFetch(quarantineContract("quarantineDetail"), entryPath(id), { signal }),
  });

/** Verifies a quarantined request again and releases it; throws with the reason when it does not pass. */
export function useRelease(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(quarantineContract("releaseResult"), "POST", `${entryPath(id)}/release`),
    onSettled: () => invalidate(queries, KEYS.quarantine, quarantineEntryQuery(id).queryKey, KEYS.events, KEYS.overview),
  });
}

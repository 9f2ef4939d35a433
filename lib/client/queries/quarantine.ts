import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import type {
  AcceptAgainBody,
  DismissalFilter,
  QuarantineItem,
  ReleasesBody,
  ReleasesResult,
  RestorationFilter,
} from "#lib/contracts/quarantine";
import {
  QUARANTINE_CAUSE_FILTERS,
  QUARANTINE_FILTERS,
  type QuarantineCauseFilter,
  type QuarantineFilter,
} from "#lib/contracts/quarantine-filters";
import { invalidate, KEYS } from "./keys.ts";
import { sourcesQuery } from "./settings.ts";

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

const operationsContract = contract(() => import("#lib/contracts/operations"));
const acceptContract = contract(() => import("#lib/contracts/quarantine"));

/** Requests that a dry run counts: with `accept`, as if that retired secret were accepted. */
export type Counted = { filter: ReleasesBody["filter"]; late?: boolean; accept?: string };
type Sums = Pick<ReleasesResult, "examined" | "verifying" | "stillQuarantined">;

export type Releasable = { counting: boolean; counted: Sums; error: Error | null };

const NONE: Sums = { examined: 0, verifying: 0, stillQuarantined: 0 };

/** Counts the requests that would be released, page by page; releases nothing. Runs while `active`. */
export function useReleasable(counted: Counted, active: boolean): { state: Releasable; retry: () => void } {
  const [state, setState] = useState<Releasable>({ counting: true, counted: NONE, error: null });
  const run = useRef<AbortController | null>(null);
  const wanted = JSON.stringify(counted);

  const count = useCallback(async () => {
    run.current?.abort();
    const own = new AbortController();
    run.current = own;
    setState({ counting: true, counted: NONE, error: null });
    try {
      for await (const sums of countPages(JSON.parse(wanted))) {
        if (own.signal.aborted) return;
        setState({ counting: true, counted: sums, error: null });
      }
      setState((was) => (own.signal.aborted ? was : { ...was, counting: false }));
    } catch (error) {
      if (!own.signal.aborted) setState((was) => ({ ...was, error: error as Error }));
    }
  }, [wanted]);

  useEffect(() => {
    if (!active) return;
    void count();
    return () => run.current?.abort();
  }, [active, count]);

  return { state, retry: () => void count() };
}

async function* countPages(counted: Counted): AsyncGenerator<Sums> {
  let sums = NONE;
  let cursor: string | null = null;
  do {
    const body = { ...counted, dryRun: true, ...(cursor !== null && { cursor }) };
    const page: ReleasesResult = await apiSend(quarantineContract("releasesResult"), "POST", "/api/v1/quarantine/releases", body);
    sums = {
      examined: sums.examined + page.examined,
      verifying: sums.verifying + page.verifying,
      stillQuarantined: sums.stillQuarantined + page.stillQuarantined,
    };
    cursor = page.nextCursor;
    yield sums;
  } while (cursor !== null);
}

export function useStartRelease() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wanted: Pick<Counted, "filter" | "late">) =>
      apiSend(operationsContract("operation"), "POST", "/api/v1/quarantine/releases", { ...wanted, background: true }),
    onSettled: () => invalidate(queries, KEYS.operations),
  });
}

/** Accepts a retired secret again and releases requests signed with it, or ends that (`hours: 0`). */
export function useAcceptAgain(sourceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AcceptAgainBody) =>
      apiSend(acceptContract("acceptedAgain"), "POST", `/api/v1/sources/${encodeURIComponent(sourceId)}/accept-again`, body),
    onSettled: () => invalidate(queries, KEYS.operations, sourcesQuery.queryKey),
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

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { isEmptyFilter, writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import { formatNumber } from "#lib/contracts/format-count";
import { REDELIVERY_EVENT_FILTERS, type RedeliveryEventFilter } from "#lib/contracts/list-filters";
import type { RedeliveriesBody, RedeliveryEvent, RedeliveryProgress } from "#lib/contracts/redeliveries";
import { invalidate, KEYS } from "./keys.ts";
import { LOOK_MS } from "./operations.ts";

const redeliveriesContract = contract(() => import("#lib/contracts/redeliveries"));

const path = (id: string, action = "") => `/api/v1/redeliveries/${encodeURIComponent(id)}${action}`;

export type RedeliverySet = Pick<RedeliveriesBody, "filter" | "eventIds">;

/** Freezes a set of events; each opening of a dialog freezes a new one. */
export const frozenQuery = (set: RedeliverySet, opening: string) =>
  queryOptions({
    queryKey: [...KEYS.frozenRedelivery, opening] as const,
    queryFn: () => apiSend(redeliveriesContract("redeliveriesAccepted"), "POST", "/api/v1/redeliveries", { ...set, hold: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const redeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.redeliveries, id] as const,
    queryFn: ({ signal }) => apiFetch(redeliveriesContract("redeliveryProgress"), path(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? LOOK_MS : false),
  });

export const redeliveryEventsQuery = (id: string, filter: RedeliveryEventFilter, running: boolean) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.redeliveries, id, "events", filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<RedeliveryEvent>> =>
      apiFetch(
        redeliveriesContract("redeliveryEventPage"),
        path(id, `/events?${writeFilter(REDELIVERY_EVENT_FILTERS, filter, { cursor: pageParam })}`),
        {
          signal,
        },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: running ? LOOK_MS : false,
  });

export function redeliverySet({ filter, total, event }: RedeliveryProgress): string {
  if (event !== null) return `${event.title} ${event.id}`;
  if (filter !== null) return isEmptyFilter(filter) ? "All events" : "Filtered events";
  return total === 1 ? "One event no longer in the log" : "Selected events";
}

export const redeliveriesQuery = queryOptions({
  queryKey: KEYS.redeliveries,
  queryFn: ({ signal }) => apiFetch(redeliveriesContract("redeliveryPage"), "/api/v1/redeliveries?limit=100", { signal }),
  refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === "running") ? LOOK_MS : false),
});

export const useDryRun = () =>
  useMutation({ mutationFn: (id: string) => apiSend(redeliveriesContract("dryRunOutcome"), "POST", path(id, "/dry-run")) });

export function useStartRedelivery() {
  const queries = useQueryClient();
  const onSettled = () => invalidate(queries, KEYS.redeliveries);
  const start = useMutation({
    mutationFn: ({ id, name, destinations }: { id: string; name?: string; destinations?: boolean }) =>
      apiSend(redeliveriesContract("redeliveryProgress"), "POST", path(id, "/start"), {
        ...(name && { name }),
        ...(destinations !== undefined && { destinations }),
      }),
    onSuccess: (progress) => queries.setQueryData(redeliveryQuery(progress.id).queryKey, progress),
    onSettled,
  });
  return start;
}

export function progressWords({ state, total, applied, failed, left, expired }: RedeliveryProgress): string {
  const parts = [`${formatNumber(applied)} of ${formatNumber(total)} applied`];
  if (failed > 0) parts.push(`${formatNumber(failed)} failed again`);
  if (left > 0 && state !== "held") parts.push(`${formatNumber(left)} ${state === "aborted" ? "not attempted" : "remaining"}`);
  if (expired > 0) parts.push(`${formatNumber(expired)} no longer in the log`);
  return parts.join(", ");
}

import { queryOptions, useMutation } from "@tanstack/react-query";
import { isEmptyFilter, writeFilter } from "#lib/client/url-filter";
import { formatNumber } from "#lib/contracts/format-count";
import { REDELIVERY_EVENT_FILTERS, type RedeliveryEventFilter } from "#lib/contracts/list-filters";
import type { RedeliveriesBody, RedeliveryProgress } from "#lib/contracts/redeliveries";
import { call, reading, readingPages, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";
import { LOOK_MS } from "./operations.ts";

export type RedeliverySet = Pick<RedeliveriesBody, "filter" | "eventIds">;

/** Freezes a set of events; each opening of a dialog freezes a new one. */
export const frozenQuery = (set: RedeliverySet, opening: string) =>
  queryOptions({
    queryKey: [...KEYS.frozenRedelivery, opening],
    queryFn: () => call("POST /api/v1/redeliveries", { body: { ...set, hold: true } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const redeliveryQuery = (id: string) =>
  queryOptions({
    ...reading([...KEYS.redeliveries, id], "GET /api/v1/redeliveries/{id}", { id }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? LOOK_MS : false),
  });

export const redeliveryEventsQuery = (id: string, filter: RedeliveryEventFilter, running: boolean) => ({
  ...readingPages([...KEYS.redeliveries, id, "events", filter], "GET /api/v1/redeliveries/{id}/events", {
    id,
    query: writeFilter(REDELIVERY_EVENT_FILTERS, filter),
  }),
  refetchInterval: running ? LOOK_MS : (false as const),
});

export function redeliverySet({ filter, total, event }: RedeliveryProgress): string {
  if (event !== null) return `${event.title} ${event.id}`;
  if (filter !== null) return isEmptyFilter(filter) ? "All events" : "Filtered events";
  return total === 1 ? "One event no longer in the log" : "Selected events";
}

export const redeliveriesQuery = queryOptions({
  ...reading(KEYS.redeliveries, "GET /api/v1/redeliveries", { query: { limit: 100 } }),
  refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === "running") ? LOOK_MS : false),
});

export const useDryRun = () => useMutation({ mutationFn: (id: string) => call("POST /api/v1/redeliveries/{id}/dry-run", { id }) });

export const useStartRedelivery = () =>
  useChange(
    ({ id, name, destinations }: { id: string; name?: string; destinations?: boolean }) =>
      call("POST /api/v1/redeliveries/{id}/start", {
        id,
        body: { ...(name && { name }), ...(destinations !== undefined && { destinations }) },
      }),
    [KEYS.redeliveries],
    ({ id }) => redeliveryQuery(id).queryKey,
  );

export function progressWords({ state, total, applied, failed, left, expired }: RedeliveryProgress): string {
  const parts = [`${formatNumber(applied)} of ${formatNumber(total)} applied`];
  if (failed > 0) parts.push(`${formatNumber(failed)} failed again`);
  if (left > 0 && state !== "held") parts.push(`${formatNumber(left)} ${state === "aborted" ? "not attempted" : "remaining"}`);
  if (expired > 0) parts.push(`${formatNumber(expired)} no longer in the log`);
  return parts.join(", ");
}

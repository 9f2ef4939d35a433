import { infiniteQueryOptions, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { writeFilter } from "#lib/client/url-filter";
import type { Page } from "#lib/contracts/api/parameters";
import { MISSING_EVENT_FILTERS, type MissingEventFilter } from "#lib/contracts/missing-event-filters";
import type {
  MissingEvent,
  MissingEventResource,
  MissingEventRestorationFilter,
  OpenMissingEventFilter,
  SnoozeTime,
} from "#lib/contracts/missing-events";

const missingEventsContract = contract(() => import("#lib/contracts/missing-events"));

const path = (filter: MissingEventFilter, extra: Record<string, string | null>) =>
  `/api/v1/missing-events?${writeFilter(MISSING_EVENT_FILTERS, filter, extra)}`;

export const missingEventsQuery = (filter: MissingEventFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.missingEvents, "list", filter] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<MissingEvent>> =>
      apiFetch(missingEventsContract("missingEventPage"), path(filter, { cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

const OF_ONE = "5";

export const useMissingEventsOf = ({ kind, id }: MissingEventResource) =>
  useQuery({
    queryKey: [...KEYS.missingEvents, "of", kind, id] as const,
    queryFn: async ({ signal }) =>
      (await apiFetch(missingEventsContract("missingEventPage"), path({ resource: `${kind}:${id}` }, { limit: OF_ONE }), { signal })).data,
  });

export const missingEventRulesQuery = queryOptions({
  queryKey: [...KEYS.missingEvents, "rules"] as const,
  queryFn: ({ signal }) => apiFetch(missingEventsContract("missingEventRules"), "/api/v1/missing-events/rules", { signal }),
});

export function useSetAside() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ filter, snooze }: { filter: OpenMissingEventFilter; snooze?: SnoozeTime }) =>
      snooze === undefined
        ? apiSend(missingEventsContract("missingEventsSetAside"), "POST", "/api/v1/missing-events/dismissals", { filter })
        : apiSend(missingEventsContract("missingEventsSetAside"), "POST", "/api/v1/missing-events/snoozes", { filter, for: snooze }),
    onSettled: () => invalidate(queries, ...SHOWN),
  });
}

export function useRestoreMissingEvents() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (filter: MissingEventRestorationFilter) =>
      apiSend(missingEventsContract("missingEventsRestored"), "POST", "/api/v1/missing-events/restorations", { filter }),
    onSettled: () => invalidate(queries, ...SHOWN),
  });
}

const SHOWN = [KEYS.missingEvents, KEYS.overview, KEYS.counts] as const;

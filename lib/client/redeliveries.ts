import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  dryRunOutcome,
  type RedeliveriesBody,
  type RedeliveryProgress,
  redeliveriesAccepted,
  redeliveryPage,
  redeliveryProgress,
} from "#lib/contracts/redeliveries";
import { apiFetch, apiSend } from "./fetcher.ts";

/** Progress is asked for this often while it runs. Milliseconds. */
const LOOK_MS = 700;

const path = (id: string, action = "") => `/api/v1/redeliveries/${encodeURIComponent(id)}${action}`;

/** Which events: what matches a filter, or these. */
export type RedeliverySet = Pick<RedeliveriesBody, "filter" | "eventIds">;

/** Freezes a set; each opening of a dialog freezes anew. */
export const frozenQuery = (set: RedeliverySet, opening: string) =>
  queryOptions({
    queryKey: ["redelivery-frozen", opening] as const,
    queryFn: () => apiSend(redeliveriesAccepted, "POST", "/api/v1/redeliveries", { ...set, hold: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

/** How far one has come; asked again while it runs. */
export const redeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["redeliveries", id] as const,
    queryFn: ({ signal }) => apiFetch(redeliveryProgress, path(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? LOOK_MS : false),
  });

/** The newest re-deliveries; asked again while one of them runs. */
export const redeliveriesQuery = queryOptions({
  queryKey: ["redeliveries"] as const,
  queryFn: ({ signal }) => apiFetch(redeliveryPage, "/api/v1/redeliveries?limit=100", { signal }),
  refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === "running") ? LOOK_MS : false),
});

/** Tells what a frozen one would do. */
export const useDryRun = () => useMutation({ mutationFn: (id: string) => apiSend(dryRunOutcome, "POST", path(id, "/dry-run")) });

/** Begins a frozen one or resumes an aborted one; and aborts one that runs. */
export function useSteer() {
  const queries = useQueryClient();
  const settle = (id: string) => ({
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["redeliveries"] }),
        queries.invalidateQueries({ queryKey: ["redeliveries", id] }),
      ]),
  });
  const start = useMutation({
    mutationFn: ({ id, name }: { id: string; name?: string }) =>
      apiSend(redeliveryProgress, "POST", path(id, "/start"), name ? { name } : {}),
    onSuccess: (progress) => queries.setQueryData(["redeliveries", progress.id], progress),
    onSettled: (_, __, { id }) => settle(id).onSettled(),
  });
  const abort = useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", path(id)),
    onSettled: (_, __, id) => settle(id).onSettled(),
  });
  return { start, abort };
}

/** How far it has come, in words. */
export function progressWords({ state, total, applied, failed, left, expired }: RedeliveryProgress): string {
  const number = new Intl.NumberFormat("en-GB").format;
  const parts = [`${number(applied)} of ${number(total)} applied`];
  if (failed > 0) parts.push(`${number(failed)} failed again`);
  if (left > 0 && state !== "held") parts.push(`${number(left)} ${state === "aborted" ? "not tried" : "to go"}`);
  if (expired > 0) parts.push(`${number(expired)} no longer in the log`);
  return parts.join(", ");
}

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type EventFilter, redeliveryAccepted } from "#lib/contracts/events";
import { type RedeliveryProgress, redeliveriesAccepted, redeliveryProgress } from "#lib/contracts/redeliveries";
import { apiFetch, apiSend } from "./fetcher.ts";

/** A redelivery that is not through after this long goes on unwatched. Milliseconds. */
const WATCH_MS = 10_000;
const FIRST_LOOK_MS = 300;
const LOOK_MS = 1000;

/** Delivers one event again and watches until it has been tried, ten seconds at most. */
export function useRedeliver(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { id } = await apiSend(redeliveryAccepted, "POST", `/api/v1/events/${encodeURIComponent(eventId)}/redeliver`);
      void queries.invalidateQueries({ queryKey: ["event", eventId] });
      return watch(id);
    },
    onSettled: () => refresh(queries),
  });
}

/** Delivers again what matches a filter. */
export function useRedeliverMatching() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (filter: EventFilter) => {
      const { id } = await apiSend(redeliveriesAccepted, "POST", "/api/v1/redeliveries", { filter });
      return id === null ? null : watch(id);
    },
    onSettled: () => refresh(queries),
  });
}

/** How many events a redelivery would take. */
export async function countMatching(filter: EventFilter): Promise<number> {
  return (await apiSend(redeliveriesAccepted, "POST", "/api/v1/redeliveries", { filter, hold: true })).total;
}

async function watch(id: string): Promise<RedeliveryProgress> {
  const end = Date.now() + WATCH_MS;
  await sleep(FIRST_LOOK_MS);
  for (;;) {
    const progress = await apiFetch(redeliveryProgress, `/api/v1/redeliveries/${encodeURIComponent(id)}`);
    if (progress.state !== "running" || Date.now() > end) return progress;
    await sleep(LOOK_MS);
  }
}

const refresh = (queries: QueryClient) =>
  Promise.all(
    [["event"], ["events"], ["issues"], ["issue"], ["counts"], ["overview"], ["views"]].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

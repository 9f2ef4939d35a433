import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { EventFilter } from "#lib/contracts/events/events";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { eventQuery } from "./events.ts";
import { invalidate, KEYS } from "./keys.ts";

const eventsContract = contract(() => import("#lib/contracts/events/events"));
const redeliveriesContract = contract(() => import("#lib/contracts/redeliveries"));

/** A longer re-delivery continues without being polled. Milliseconds. */
const WATCH_MS = 10_000;
const FIRST_LOOK_MS = 300;
const ATTEMPT_LOOK_MS = 1000;

export function useRedeliver(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (choice: { destinations: boolean }) => {
      const { id } = await apiSend(
        eventsContract("redeliveryAccepted"),
        "POST",
        `/api/v1/events/${encodeURIComponent(eventId)}/redeliver`,
        choice,
      );
      void invalidate(queries, eventQuery(eventId).queryKey);
      return watch(id);
    },
    onSettled: () => refresh(queries),
  });
}

export function useRedeliverMatching() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (asked: { filter: EventFilter; destinations: boolean }) => {
      const { id } = await apiSend(redeliveriesContract("redeliveriesAccepted"), "POST", "/api/v1/redeliveries", asked);
      return id === null ? null : watch(id);
    },
    onSettled: () => refresh(queries),
  });
}

async function watch(id: string): Promise<RedeliveryProgress> {
  const end = performance.now() + WATCH_MS;
  await sleep(FIRST_LOOK_MS);
  for (;;) {
    const progress = await apiFetch(redeliveriesContract("redeliveryProgress"), `/api/v1/redeliveries/${encodeURIComponent(id)}`);
    if (progress.state !== "running" || performance.now() > end) return progress;
    await sleep(ATTEMPT_LOOK_MS);
  }
}

const refresh = (queries: QueryClient) =>
  invalidate(queries, KEYS.event, KEYS.events, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview, KEYS.views);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { EventFilter } from "#lib/contracts/events/events";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { call } from "./api.ts";
import { eventQuery } from "./events.ts";
import { invalidate, KEYS } from "./keys.ts";

/** A longer re-delivery continues without being polled. Milliseconds. */
const WATCH_MS = 10_000;
const FIRST_LOOK_MS = 300;
const ATTEMPT_LOOK_MS = 1000;

export function useRedeliver(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: { destinations: boolean }) => {
      const { id } = await call("POST /api/v1/events/{id}/redeliver", { id: eventId, body });
      void invalidate(queries, eventQuery(eventId).queryKey);
      return watch(id);
    },
    onSettled: () => refresh(queries),
  });
}

export function useRedeliverMatching() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: { filter: EventFilter; destinations: boolean }) => {
      const { id } = await call("POST /api/v1/redeliveries", { body });
      return id === null ? null : watch(id);
    },
    onSettled: () => refresh(queries),
  });
}

async function watch(id: string): Promise<RedeliveryProgress> {
  const end = performance.now() + WATCH_MS;
  await sleep(FIRST_LOOK_MS);
  for (;;) {
    const progress = await call("GET /api/v1/redeliveries/{id}", { id });
    if (progress.state !== "running" || performance.now() > end) return progress;
    await sleep(ATTEMPT_LOOK_MS);
  }
}

const refresh = (queries: QueryClient) =>
  invalidate(queries, KEYS.event, KEYS.events, KEYS.deliveries, KEYS.issues, KEYS.issue, KEYS.counts, KEYS.overview, KEYS.views);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

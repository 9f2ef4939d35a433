import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { problemSchema } from "#lib/contracts/problem";
import {
  type SandboxBusyDaysBody,
  type SandboxEventBody,
  type SandboxStoryBody,
  sandboxBusyDays,
  sandboxDeliveryList,
  sandboxRevoked,
  sandboxSecretSaved,
  sandboxSent,
} from "#lib/contracts/sandbox";

/** The sandbox platform's own API, for its page. It is another party: it shares no address with /api/v1. */

const LIVELY_MS = 1000;
const QUIET_MS = 5000;

const deliveriesKey = ["sandbox", "deliveries"] as const;

/** What it sent and what came back: every second while something waits, else every five. */
export const deliveriesQuery = queryOptions({
  queryKey: deliveriesKey,
  queryFn: ({ signal }) => ask("deliveries", sandboxDeliveryList, { signal }),
  refetchInterval: ({ state }) => (state.data?.data.some((delivery) => delivery.state === "waiting") ? LIVELY_MS : QUIET_MS),
});

export const useSandboxDeliveries = () => useQuery(deliveriesQuery);

/** Sends one event, with a fault when one is asked for. */
export const useSendEvent = () => useSandboxMutation((body: SandboxEventBody) => ask("events", sandboxSent, send("POST", body)));

/** Tells a story. */
export const useTellStory = () => useSandboxMutation((body: SandboxStoryBody) => ask("stories", sandboxSent, send("POST", body)));

/** Sends the events of many documents over many days. */
export const useTellBusyDays = () =>
  useSandboxMutation((body: Partial<SandboxBusyDaysBody>) => ask("busy-days", sandboxBusyDays, send("POST", body)));

/** Tells the platform what to sign with from now on. */
export const useGiveSecret = () => useSandboxMutation((secret: string) => ask("secret", sandboxSecretSaved, send("PUT", { secret })));

/** Takes back every grant. */
export const useRevokeGrants = () => useSandboxMutation((_: undefined) => ask("revocations", sandboxRevoked, send("POST", {})));

function useSandboxMutation<Body, Result>(mutationFn: (body: Body) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesKey }) });
}

const send = (method: "POST" | "PUT", body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function ask<T extends z.ZodMiniType>(path: string, schema: T, init: RequestInit): Promise<z.infer<T>> {
  const response = await fetch(`/sandbox/api/${path}`, init);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return schema.parse(body);
  const problem = problemSchema.safeParse(body);
  throw new Error(problem.success ? (problem.data.detail ?? problem.data.title) : `The sandbox answered ${response.status}.`);
}

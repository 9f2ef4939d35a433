import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { problemSchema } from "#lib/contracts/api/problem";
import { writeJson } from "#lib/contracts/json/exact-json";
import {
  type SandboxEventBody,
  type SandboxScenarioBody,
  type SandboxTrafficBody,
  sandboxDeliveryList,
  sandboxRevoked,
  sandboxSecretSaved,
  sandboxSent,
  sandboxTraffic,
} from "#lib/contracts/sandbox";
import { type SenderEventBody, senderEventSent } from "#lib/contracts/sandbox-senders";

/** The sandbox platform's own API. It is another party: it shares no URL with /api/v1. */

const LIVELY_MS = 1000;
const QUIET_MS = 5000;

const deliveriesKey = [...KEYS.sandbox, "deliveries"] as const;

export const deliveriesQuery = queryOptions({
  queryKey: deliveriesKey,
  queryFn: ({ signal }) => askSandbox("deliveries", sandboxDeliveryList, { signal }),
  refetchInterval: ({ state }) => (state.data?.data.some((delivery) => delivery.state === "waiting") ? LIVELY_MS : QUIET_MS),
});

export const useSandboxDeliveries = () => useQuery(deliveriesQuery);

export const useSendEvent = () =>
  useSandboxMutation((body: SandboxEventBody) => askSandbox("events", sandboxSent, sendSandbox("POST", body)));

export const useSendAs = () =>
  useSandboxMutation((body: SenderEventBody) => askSandbox("sender-events", senderEventSent, sendSandbox("POST", body)));

export const useRunScenario = () =>
  useSandboxMutation((body: SandboxScenarioBody) => askSandbox("scenarios", sandboxSent, sendSandbox("POST", body)));

export const useGenerateTraffic = () =>
  useSandboxMutation((body: Partial<SandboxTrafficBody>) => askSandbox("traffic", sandboxTraffic, sendSandbox("POST", body)));

export const useGiveSecret = () =>
  useSandboxMutation((secret: string) => askSandbox("secret", sandboxSecretSaved, sendSandbox("PUT", { secret })));

export const useRevokeGrants = () =>
  useSandboxMutation((_: undefined) => askSandbox("revocations", sandboxRevoked, sendSandbox("POST", {})));

function useSandboxMutation<Body, Result>(mutationFn: (body: Body) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => invalidate(queries, deliveriesKey) });
}

export const sendSandbox = (method: "POST" | "PUT", body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: writeJson(body),
});

/** Calls the sandbox. @throws Error with its message */
export async function askSandbox<T extends z.ZodMiniType>(path: string, schema: T, init: RequestInit): Promise<z.infer<T>> {
  const response = await fetch(`/sandbox/api/${path}`, init);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return schema.parse(body);
  const problem = problemSchema.safeParse(body);
  throw new Error(problem.success ? (problem.data.detail ?? problem.data.title) : `The sandbox returned ${response.status}.`);
}

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { apiSend, contract } from "#lib/client/fetcher";
import { problemSchema } from "#lib/contracts/api/app-error";
import { writeJson } from "#lib/contracts/exact-json";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import {
  type ReceiverBehaviour,
  type ReceivingApp,
  receiverSecretSaved,
  receivingApp,
  type SandboxEventBody,
  type SandboxScenarioBody,
  type SandboxTrafficBody,
  type SenderEventBody,
  sandboxDeliveryList,
  sandboxRevoked,
  sandboxSecretSaved,
  sandboxSent,
  sandboxTraffic,
  senderEventSent,
} from "#lib/contracts/sandbox";
import { destinationsQuery } from "./destinations.ts";
import { invalidate, KEYS } from "./keys.ts";

/** The sandbox platform's own API. It is another party: it shares no URL with /api/v1. */

const LIVELY_MS = 1000;
const QUIET_MS = 5000;

const deliveriesKey = [...KEYS.sandbox, "deliveries"] as const;

const deliveriesQuery = queryOptions({
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

const sendSandbox = (method: "POST" | "PUT", body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: writeJson(body),
});

/** Calls the sandbox. @throws Error with its message */
async function askSandbox<T extends z.ZodMiniType>(path: string, schema: T, init: RequestInit): Promise<z.infer<T>> {
  const response = await fetch(`/sandbox/api/${path}`, init);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return schema.parse(body);
  const problem = problemSchema.safeParse(body);
  throw new Error(problem.success ? (problem.data.detail ?? problem.data.title) : `The sandbox returned ${response.status}.`);
}

const destinationsContract = contract(() => import("#lib/contracts/forwarding/destinations"));

const POLL_MS = 2000;

export const receivingAppQuery = queryOptions({
  queryKey: [...KEYS.sandbox, "receiving-app"] as const,
  queryFn: ({ signal }) => askSandbox("receiving-app", receivingApp, { signal }),
  refetchInterval: POLL_MS,
});

export function useSetBehaviour() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReceiverBehaviour) => askSandbox("receiving-app", receivingApp, sendSandbox("PUT", body)),
    onSuccess: (latest) => queries.setQueryData(receivingAppQuery.queryKey, latest),
  });
}

const addSecret = (secret: string) => askSandbox("receiving-app/secret", receiverSecretSaved, sendSandbox("PUT", { secret }));

export const useAddReceiverSecret = () => useMutation({ mutationFn: addSecret });

/** Creates a destination through the API and gives the app its secret, as a user would by copying. */
export function useCreateReceiverDestination({ behaviour }: Pick<ReceivingApp, "behaviour">) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (mode: DestinationMode) => {
      const name = mode === "signed" ? "Sandbox receiving app" : "Sandbox receiving app (pass-through)";
      // Setting the current behaviour creates the app if there is none.
      const { url } = await askSandbox("receiving-app", receivingApp, sendSandbox("PUT", behaviour));
      const made = await apiSend(destinationsContract("createdDestination"), "POST", "/api/v1/destinations", { name, url, mode });
      if (made.secret !== null) await addSecret(made.secret);
      return made;
    },
    onSuccess: () => invalidate(queries, destinationsQuery.queryKey, receivingAppQuery.queryKey),
  });
}

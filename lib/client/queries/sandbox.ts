import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Problem } from "#lib/contracts/api/app-error";
import { writeJson } from "#lib/contracts/exact-json";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import type {
  ReceiverBehaviour,
  ReceivingApp,
  SandboxDelivery,
  SandboxEventBody,
  SandboxScenarioBody,
  SandboxSent,
  SandboxTraffic,
  SandboxTrafficBody,
  SenderEventBody,
  SenderEventSent,
} from "#lib/contracts/sandbox";
import { call } from "./api.ts";
import { destinationsQuery } from "./destinations.ts";
import { invalidate, KEYS } from "./keys.ts";

/** The sandbox platform's own API. It is another party: it shares no URL with /api/v1. */

const LIVELY_MS = 1000;
const QUIET_MS = 5000;

const deliveriesKey = [...KEYS.sandbox, "deliveries"] as const;

const deliveriesQuery = queryOptions({
  queryKey: deliveriesKey,
  queryFn: ({ signal }) => askSandbox<{ data: SandboxDelivery[] }>("deliveries", { signal }),
  refetchInterval: ({ state }) => (state.data?.data.some((delivery) => delivery.state === "waiting") ? LIVELY_MS : QUIET_MS),
});

export const useSandboxDeliveries = () => useQuery(deliveriesQuery);

/** Makes the hook of a request whose webhooks the log then shows. */
const sending = <Body, Answer>(path: string) =>
  function useSending() {
    const queries = useQueryClient();
    return useMutation({
      mutationFn: (body: Body) => askSandbox<Answer>(path, sendSandbox("POST", body)),
      onSuccess: () => invalidate(queries, deliveriesKey),
    });
  };

export const useSendEvent = sending<SandboxEventBody, SandboxSent>("events");
export const useSendAs = sending<SenderEventBody, SenderEventSent>("sender-events");
export const useRunScenario = sending<SandboxScenarioBody, SandboxSent>("scenarios");
export const useGenerateTraffic = sending<Partial<SandboxTrafficBody>, SandboxTraffic>("traffic");
export const useRevokeGrants = sending<Record<string, never>, { revoked: number }>("revocations");

export const useGiveSecret = () =>
  useMutation({ mutationFn: (secret: string) => askSandbox<Saved>("secret", sendSandbox("PUT", { secret })) });

const sendSandbox = (method: "POST" | "PUT", body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: writeJson(body),
});

type Saved = { saved: true };

/** Calls the sandbox. What it answers is of this page's own build, as the page itself. @throws Error with its message */
async function askSandbox<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(`/sandbox/api/${path}`, init);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as Answer;
  const { detail, title } = (body ?? {}) as Partial<Problem>;
  throw new Error(detail ?? title ?? `The sandbox returned ${response.status}.`);
}

const POLL_MS = 2000;

export const receivingAppQuery = queryOptions({
  queryKey: [...KEYS.sandbox, "receiving-app"] as const,
  queryFn: ({ signal }) => askSandbox<ReceivingApp>("receiving-app", { signal }),
  refetchInterval: POLL_MS,
});

export function useSetBehaviour() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReceiverBehaviour) => askSandbox<ReceivingApp>("receiving-app", sendSandbox("PUT", body)),
    onSuccess: (latest) => queries.setQueryData(receivingAppQuery.queryKey, latest),
  });
}

const addSecret = (secret: string) => askSandbox<Saved>("receiving-app/secret", sendSandbox("PUT", { secret }));

export const useAddReceiverSecret = () => useMutation({ mutationFn: addSecret });

/** Creates a destination through the API and gives the app its secret, as a user would by copying. */
export function useCreateReceiverDestination({ behaviour }: Pick<ReceivingApp, "behaviour">) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (mode: DestinationMode) => {
      const name = mode === "signed" ? "Sandbox receiving app" : "Sandbox receiving app (pass-through)";
      // Setting the current behaviour creates the app if there is none.
      const { url } = await askSandbox<ReceivingApp>("receiving-app", sendSandbox("PUT", behaviour));
      const made = await call("POST /api/v1/destinations", { body: { name, url: url ?? "", mode } });
      if (made.secret !== null) await addSecret(made.secret);
      return made;
    },
    onSuccess: () => invalidate(queries, destinationsQuery.queryKey, receivingAppQuery.queryKey),
  });
}

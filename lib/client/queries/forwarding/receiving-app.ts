import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import { type ReceiverBehaviour, type ReceivingApp, receiverSecretSaved, receivingApp } from "#lib/contracts/forwarding/receiving-app";
import { askSandbox, sendSandbox } from "../sandbox.ts";
import { destinationsQuery } from "./destinations.ts";

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

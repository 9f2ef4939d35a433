import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { ListedConnection } from "#lib/contracts/connections";
import { invalidate, KEYS } from "./keys.ts";

const connectionsContract = contract(() => import("#lib/contracts/connections"));

/** Renewals have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

const path = (id: string) => `/api/v1/connections/${encodeURIComponent(id)}`;

export const connectionsQuery = queryOptions({
  queryKey: KEYS.connections,
  queryFn: async ({ signal }): Promise<ListedConnection[]> =>
    (await apiFetch(connectionsContract("connectionPage"), "/api/v1/connections?limit=200", { signal })).data,
  refetchInterval: POLL_MS,
});

export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.connection, id] as const,
    queryFn: ({ signal }) => apiFetch(connectionsContract("connectionDetail"), path(id), { signal }),
    refetchInterval: POLL_MS,
  });

export const useConnections = () => useQuery(connectionsQuery);
export const useConnection = (id: string) => useQuery(connectionQuery(id));

export function useStartConnect() {
  return useMutation({
    mutationFn: async (body: { name?: string; connectionId?: string }) => {
      const { authorizationUrl } = await apiSend(connectionsContract("startConnectResult"), "POST", "/api/v1/connections", body);
      location.assign(authorizationUrl);
      // The browser is navigating away: the button stays busy until then.
      await new Promise(() => {});
    },
  });
}

export function useRefreshConnection(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(connectionsContract("connectionDetail"), "POST", `${path(id)}/refresh`),
    onSuccess: (connection) => queries.setQueryData(connectionQuery(id).queryKey, connection),
    onSettled: () => invalidate(queries, KEYS.connections),
  });
}

export function useRenameConnection(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => apiSend(connectionsContract("connectionDetail"), "PATCH", path(id), { name }),
    onSuccess: (connection) => queries.setQueryData(connectionQuery(id).queryKey, connection),
    onSettled: () => invalidate(queries, KEYS.connections, KEYS.overview),
  });
}

/** Erases the tokens and revokes the access at the platform; returns the outcome of each, or null if it was never connected. */
export function useDisconnect(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(connectionsContract("disconnectAnswer"), "DELETE", path(id)),
    onSuccess: () => invalidate(queries, KEYS.connections, KEYS.overview),
    // One that was never connected is deleted: its page must not wait for a refetch.
    onSettled: () => void invalidate(queries, connectionQuery(id).queryKey),
  });
}

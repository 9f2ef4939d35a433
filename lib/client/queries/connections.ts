import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { ListedConnection } from "#lib/contracts/connections";

const connectionsContract = contract(() => import("#lib/contracts/connections"));

/** Renewals send no frame: connections are refetched this often once a countdown has ended. Milliseconds. */
const POLL_MS = 15_000;

const path = (id: string) => `/api/v1/connections/${encodeURIComponent(id)}`;

/** The linked accounts, newest first. */
export const connectionsQuery = queryOptions({
  queryKey: KEYS.connections,
  queryFn: async ({ signal }): Promise<ListedConnection[]> =>
    (await apiFetch(connectionsContract("connectionPage"), "/api/v1/connections?limit=200", { signal })).data,
  refetchInterval: POLL_MS,
});

/** One linked account with its timeline. */
export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.connection, id] as const,
    queryFn: ({ signal }) => apiFetch(connectionsContract("connectionDetail"), path(id), { signal }),
    refetchInterval: POLL_MS,
  });

export const useConnections = () => useQuery(connectionsQuery);
export const useConnection = (id: string) => useQuery(connectionQuery(id));

/** Starts connecting (`name`) or reconnecting (`connectionId`), and redirects to the platform's permission dialog. */
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

/** Renews the access now; returns the updated connection. */
export function useRefreshConnection(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(connectionsContract("connectionDetail"), "POST", `${path(id)}/refresh`),
    onSuccess: (connection) => queries.setQueryData(connectionQuery(id).queryKey, connection),
    onSettled: () => invalidate(queries, KEYS.connections),
  });
}

/** Erases the tokens and revokes the access at the platform; returns the outcome of each, or null for a connection that was never connected. */
export function useDisconnect(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(connectionsContract("disconnectAnswer"), "DELETE", path(id)),
    onSuccess: () => invalidate(queries, KEYS.connections, KEYS.overview),
    // One that was never connected is deleted now: its own page must not refetch it.
    onSettled: () => void invalidate(queries, connectionQuery(id).queryKey),
  });
}

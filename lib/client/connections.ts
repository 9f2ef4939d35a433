import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetcher";
import {
  type ConnectionState,
  connectionDetail,
  connectionPage,
  disconnectAnswer,
  type ListedConnection,
  startConnectResult,
} from "#lib/contracts/connections";

/** Renewals send no frame: a countdown that ran out is looked at again this often. Milliseconds. */
const POLL_MS = 15_000;

const path = (id: string) => `/api/v1/connections/${encodeURIComponent(id)}`;

/** The linked accounts, newest first. */
export const connectionsQuery = queryOptions({
  queryKey: ["connections"] as const,
  queryFn: async ({ signal }): Promise<ListedConnection[]> =>
    (await apiFetch(connectionPage, "/api/v1/connections?limit=200", { signal })).data,
  refetchInterval: POLL_MS,
});

/** One linked account with its timeline. */
export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: ["connection", id] as const,
    queryFn: ({ signal }) => apiFetch(connectionDetail, path(id), { signal }),
    refetchInterval: POLL_MS,
  });

/** What needs a person first, then what works, then what is not connected; within each the newest first. */
const URGENCY: ConnectionState[] = ["needs_reauthorization", "retrying", "expiring", "connected", "pending", "disconnected"];

/** Connections in the order in which somebody has to look at them. */
export const worstFirst = <One extends { state: ConnectionState }>(connections: readonly One[]): One[] =>
  [...connections].sort((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));

export const useConnections = () => useQuery(connectionsQuery);
export const useConnection = (id: string) => useQuery(connectionQuery(id));

/** Begins to connect (`name`), or to connect again in place (`connectionId`), and leaves for the platform's permission dialog. */
export function useStartConnect() {
  return useMutation({
    mutationFn: async (body: { name?: string; connectionId?: string }) => {
      const { authorizationUrl } = await apiSend(startConnectResult, "POST", "/api/v1/connections", body);
      location.assign(authorizationUrl);
      // The page is being left: the button stays busy until it is gone.
      await new Promise(() => {});
    },
  });
}

/** Renews the access now; answers the connection as it stands then. */
export function useRefreshConnection(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(connectionDetail, "POST", `${path(id)}/refresh`),
    onSuccess: (connection) => queries.setQueryData(["connection", id], connection),
    onSettled: () => queries.invalidateQueries({ queryKey: ["connections"] }),
  });
}

/** Erases the tokens and takes the access back at the platform; answers what became of each, or null for one that never was connected. */
export function useDisconnect(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(disconnectAnswer, "DELETE", path(id)),
    onSuccess: () => Promise.all([["connections"], ["overview"]].map((queryKey) => queries.invalidateQueries({ queryKey }))),
    // One that never was connected is gone now: its own page has nothing to ask for.
    onSettled: () => void queries.invalidateQueries({ queryKey: ["connection", id] }),
  });
}

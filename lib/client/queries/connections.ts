import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, changing, reading, readingRows } from "./api.ts";
import { invalidate, KEYS } from "./keys.ts";

/** Renewals have no frame in the feed. Milliseconds. */
const POLL_MS = 15_000;

export const connectionsQuery = {
  ...readingRows(KEYS.connections, "GET /api/v1/connections", { query: { limit: 200 } }),
  refetchInterval: POLL_MS,
};

export const connectionQuery = (id: string) => ({
  ...reading([...KEYS.connection, id], "GET /api/v1/connections/{id}", { id }),
  refetchInterval: POLL_MS,
});

export const useConnections = () => useQuery(connectionsQuery);
export const useConnection = (id: string) => useQuery(connectionQuery(id));

export function useStartConnect() {
  return useMutation({
    mutationFn: async (body: { name?: string; connectionId?: string }) => {
      const { authorizationUrl } = await call("POST /api/v1/connections", { body });
      location.assign(authorizationUrl);
      // The browser is navigating away: the button stays busy until then.
      await new Promise(() => {});
    },
  });
}

const one = ({ id }: { id: string }) => connectionQuery(id).queryKey;

export const useRefreshConnection = changing("POST /api/v1/connections/{id}/refresh", [KEYS.connections], one);
export const useRenameConnection = changing("PATCH /api/v1/connections/{id}", [KEYS.connections, KEYS.overview], one);

/** Erases the tokens and revokes the access at the platform; returns the outcome of each, or null if it was never connected. */
export function useDisconnect(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call("DELETE /api/v1/connections/{id}", { id }),
    onSuccess: () => invalidate(queries, KEYS.connections, KEYS.overview),
    // One that was never connected is deleted: its page must not wait for a refetch.
    onSettled: () => void invalidate(queries, connectionQuery(id).queryKey),
  });
}

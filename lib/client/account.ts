import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetcher";
import { type ChangePasswordBody, ownSessionList, sessionsEnded, workspaceInfo } from "#lib/contracts/account";

const sessionsQuery = queryOptions({
  queryKey: ["settings", "sessions"] as const,
  queryFn: async ({ signal }) => (await apiFetch(ownSessionList, "/api/v1/account/sessions", { signal })).data,
});

export const useOwnSessions = () => useQuery(sessionsQuery);

/** Changes the own password; every other session ends. */
export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePasswordBody) => apiSend(null, "PUT", "/api/v1/account/password", body),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    gcTime: 0,
  });
}

/** Ends one of the own sessions, or without an id all but this one. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? apiSend(sessionsEnded, "DELETE", "/api/v1/account/sessions")
        : apiSend(null, "DELETE", `/api/v1/account/sessions/${encodeURIComponent(id)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Takes this session to another workspace. The page must be left: all that it shows is of the old one. */
export const switchWorkspace = (workspaceId: string) => apiSend(null, "PUT", "/api/v1/session/workspace", { workspaceId });

/** Makes a workspace and takes this session there. */
export const createWorkspace = (name: string) => apiSend(workspaceInfo, "POST", "/api/v1/workspaces", { name });

/** Gives the workspace another name. */
export const renameWorkspace = (name: string) => apiSend(workspaceInfo, "PATCH", "/api/v1/workspace", { name });

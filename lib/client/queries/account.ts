import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import { leavePage, stayOnPage } from "#lib/client/session-end";
import type { ChangePasswordBody, Preferences } from "#lib/contracts/auth/account";
import { invalidate, KEYS } from "./keys.ts";

const accountContract = contract(() => import("#lib/contracts/auth/account"));

export const sessionsQuery = queryOptions({
  queryKey: [...KEYS.settings, "sessions"] as const,
  queryFn: async ({ signal }) => (await apiFetch(accountContract("ownSessionList"), "/api/v1/account/sessions", { signal })).data,
});

export const useOwnSessions = () => useQuery(sessionsQuery);

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePasswordBody) => whileSessionChanges(() => apiSend(null, "PUT", "/api/v1/account/password", body)),
    onSuccess: () => invalidate(queries, sessionsQuery.queryKey),
    gcTime: 0,
  });
}

export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? apiSend(accountContract("sessionsEnded"), "DELETE", "/api/v1/account/sessions")
        : apiSend(null, "DELETE", `/api/v1/account/sessions/${encodeURIComponent(id)}`),
    onSettled: () => invalidate(queries, sessionsQuery.queryKey),
  });
}

/** Switches the session's workspace. Needs a full page load: everything on the page belongs to the old one. */
export const switchWorkspace = (workspaceId: string) =>
  whileSessionChanges(() => apiSend(null, "PUT", "/api/v1/session/workspace", { workspaceId }));

export const createWorkspace = (name: string) =>
  whileSessionChanges(() => apiSend(accountContract("workspaceInfo"), "POST", "/api/v1/workspaces", { name }));

export const renameWorkspace = (name: string) => apiSend(accountContract("workspaceInfo"), "PATCH", "/api/v1/workspace", { name });

export const changePreferences = (wanted: Preferences) =>
  apiSend(accountContract("preferences"), "PUT", "/api/v1/account/preferences", wanted);

/** Sends a request that replaces the session's ID. No query runs meanwhile: with the old ID it would redirect to sign-in. */
export async function whileSessionChanges<T>(request: () => Promise<T>): Promise<T> {
  leavePage();
  try {
    return await request();
  } finally {
    stayOnPage();
  }
}

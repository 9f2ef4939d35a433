import { useQuery } from "@tanstack/react-query";
import { leavePage, stayOnPage } from "#lib/client/session-end";
import type { ChangePasswordBody, Preferences } from "#lib/contracts/auth/account";
import { call, readingRows, useChange, useSecretChange } from "./api.ts";
import { KEYS } from "./keys.ts";

export const sessionsQuery = readingRows([...KEYS.settings, "sessions"], "GET /api/v1/account/sessions");

export const useOwnSessions = () => useQuery(sessionsQuery);

export const useChangePassword = () =>
  useSecretChange(
    (body: ChangePasswordBody) => whileSessionChanges(() => call("PUT /api/v1/account/password", { body })),
    [sessionsQuery.queryKey],
  );

/** Ends one session, or all others. */
export const useEndSessions = () =>
  useChange(
    async (id: string | null) =>
      id === null ? call("DELETE /api/v1/account/sessions") : call("DELETE /api/v1/account/sessions/{id}", { id }),
    [sessionsQuery.queryKey],
  );

/** Switches the session's workspace. Needs a full page load: everything on the page belongs to the old one. */
export const switchWorkspace = (workspaceId: string) =>
  whileSessionChanges(() => call("PUT /api/v1/session/workspace", { body: { workspaceId } }));

export const createWorkspace = (name: string) => whileSessionChanges(() => call("POST /api/v1/workspaces", { body: { name } }));

export const renameWorkspace = (name: string) => call("PATCH /api/v1/workspace", { body: { name } });

export const changePreferences = (body: Preferences) => call("PUT /api/v1/account/preferences", { body });

/** Sends a request that replaces the session's ID. No query runs meanwhile: with the old ID it would redirect to sign-in. */
export async function whileSessionChanges<T>(request: () => Promise<T>): Promise<T> {
  leavePage();
  try {
    return await request();
  } finally {
    stayOnPage();
  }
}

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { InviteBody, JoinBody } from "#lib/contracts/auth/invitations";
import type { Role } from "#lib/contracts/auth/settings";
import { invalidate, KEYS } from "./keys.ts";
import { membersQuery } from "./member-list.ts";
import { apiKeysQuery } from "./settings.ts";

const invitationsContract = contract(() => import("#lib/contracts/auth/invitations"));

export const invitationsQuery = queryOptions({
  queryKey: [...KEYS.settings, "invitations"] as const,
  queryFn: async ({ signal }) => (await apiFetch(invitationsContract("invitationList"), "/api/v1/invitations", { signal })).data,
});

export const useMembers = () => useQuery(membersQuery);
export const useInvitations = () => useQuery(invitationsQuery);

export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: InviteBody) => apiSend(invitationsContract("createdInvitation"), "POST", "/api/v1/invitations", body),
    onSuccess: () => void invalidate(queries, invitationsQuery.queryKey),
    gcTime: 0,
  });
}

export function useRevokeInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", `/api/v1/invitations/${encodeURIComponent(id)}`),
    onSettled: () => invalidate(queries, invitationsQuery.queryKey),
  });
}

/** Changes a member's role; the member has to sign in again. */
export function useChangeRole() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, role, endApiKeys }: { id: string; role: Role; endApiKeys: boolean }) =>
      apiSend(null, "PATCH", `/api/v1/members/${encodeURIComponent(id)}`, { role, endApiKeys }),
    onSettled: () => invalidate(queries, membersQuery.queryKey, invitationsQuery.queryKey, apiKeysQuery.queryKey),
  });
}

const endingKeys = (endApiKeys: boolean): string => (endApiKeys ? "?endApiKeys=true" : "");

export function useRemoveMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, endApiKeys }: { id: string; endApiKeys: boolean }) =>
      apiSend(null, "DELETE", `/api/v1/members/${encodeURIComponent(id)}${endingKeys(endApiKeys)}`),
    onSettled: () => invalidate(queries, membersQuery.queryKey, invitationsQuery.queryKey, apiKeysQuery.queryKey, KEYS.issues, KEYS.issue),
  });
}

const factorsContract = contract(() => import("#lib/contracts/auth/account"));

export function useRemoveMemberFactors() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(factorsContract("factorsRemoved"), "DELETE", `/api/v1/members/${encodeURIComponent(id)}/factors`),
    onSettled: () => invalidate(queries, membersQuery.queryKey),
  });
}

export const changeSignInPolicy = (requiresSecondFactor: boolean) =>
  apiSend(factorsContract("signInPolicy"), "PUT", "/api/v1/workspace/sign-in-policy", { requiresSecondFactor });

/** Leaves the workspace: this session ends, and with `endApiKeys` also the keys that the user created. */
export const leaveWorkspace = (endApiKeys: boolean) => apiSend(null, "DELETE", `/api/v1/members/me${endingKeys(endApiKeys)}`);

/** Accepts an invitation. @throws ApiProblem with the rejected field, or the reason why the link is invalid */
export const acceptInvitation = (body: JoinBody): Promise<null> => apiSend(null, "POST", "/api/join", body);

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetcher";
import { createdInvitation, type InviteBody, invitationList, type JoinBody } from "#lib/contracts/invitations";
import { memberList, type Role } from "#lib/contracts/settings";

const membersQuery = queryOptions({
  queryKey: ["settings", "members"] as const,
  queryFn: async ({ signal }) => (await apiFetch(memberList, "/api/v1/members", { signal })).data,
});

const invitationsQuery = queryOptions({
  queryKey: ["settings", "invitations"] as const,
  queryFn: async ({ signal }) => (await apiFetch(invitationList, "/api/v1/invitations", { signal })).data,
});

export const useMembers = () => useQuery(membersQuery);
export const useInvitations = () => useQuery(invitationsQuery);

/** Makes an invitation; its link is in this answer alone. */
export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: InviteBody) => apiSend(createdInvitation, "POST", "/api/v1/invitations", body),
    onSuccess: () => queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
    gcTime: 0,
  });
}

/** Takes an invitation back. */
export function useRevokeInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", `/api/v1/invitations/${encodeURIComponent(id)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
}

/** Gives a member another role; the member has to sign in again. */
export function useChangeRole() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => apiSend(null, "PATCH", `/api/v1/members/${encodeURIComponent(id)}`, { role }),
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
}

/** Takes a member out of the workspace. */
export function useRemoveMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", `/api/v1/members/${encodeURIComponent(id)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
}

/** Leaves the workspace: this session ends. */
export const leaveWorkspace = () => apiSend(null, "DELETE", "/api/v1/members/me");

/**
 * Accepts an invitation.
 *
 * @throws ApiProblem with the field that was refused, or why the link is worth nothing
 */
export const acceptInvitation = (body: JoinBody): Promise<null> => apiSend(null, "POST", "/api/join", body);

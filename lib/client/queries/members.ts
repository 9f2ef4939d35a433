import { useQuery } from "@tanstack/react-query";
import { apiSend } from "#lib/client/fetcher";
import type { JoinBody } from "#lib/contracts/auth/invitations";
import { call, changing, changingSecret, readingRows, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";
import { membersQuery } from "./member-list.ts";
import { apiKeysQuery } from "./settings.ts";

export const invitationsQuery = readingRows([...KEYS.settings, "invitations"], "GET /api/v1/invitations");

export const useMembers = () => useQuery(membersQuery);
export const useInvitations = () => useQuery(invitationsQuery);

export const useInvite = changingSecret("POST /api/v1/invitations", [invitationsQuery.queryKey]);
export const useRevokeInvitation = changing("DELETE /api/v1/invitations/{id}", [invitationsQuery.queryKey]);

const SHOWN = [membersQuery.queryKey, invitationsQuery.queryKey, apiKeysQuery.queryKey];

/** Changes a member's role; the member has to sign in again. */
export const useChangeRole = changing("PATCH /api/v1/members/{id}", SHOWN);

const removal = (endApiKeys: boolean) => ({ query: { endApiKeys: endApiKeys ? "true" : null } });

export const useRemoveMember = () =>
  useChange(
    ({ id, endApiKeys }: { id: string; endApiKeys: boolean }) => call("DELETE /api/v1/members/{id}", { id, ...removal(endApiKeys) }),
    [...SHOWN, KEYS.issues, KEYS.issue],
  );

export const useRemoveMemberFactors = changing("DELETE /api/v1/members/{id}/factors", [membersQuery.queryKey]);

export const changeSignInPolicy = (requiresSecondFactor: boolean) =>
  call("PUT /api/v1/workspace/sign-in-policy", { body: { requiresSecondFactor } });

/** Leaves the workspace: this session ends, and with `endApiKeys` also the keys that the user created. */
export const leaveWorkspace = (endApiKeys: boolean) => call("DELETE /api/v1/members/{id}", { id: "me", ...removal(endApiKeys) });

/** Accepts an invitation. @throws ApiProblem with the rejected field, or the reason why the link is invalid */
export const acceptInvitation = (body: JoinBody): Promise<null> => apiSend(null, "POST", "/api/join", body);

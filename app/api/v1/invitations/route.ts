import { defineRoute } from "#lib/api/define-route";
import { listInvitations } from "#lib/auth/members/invitation-store";
import { createdInvitation, invitationList, inviteBody } from "#lib/contracts/auth/invitations";
import { inviteMember } from "#lib/flows/members/members";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "members.manage",
  summary: "List open invites",
  answers: { 200: invitationList },
  example: {},
  handle: async ({ actor }) => ({ data: await listInvitations(actor.workspaceId, new Date()), nextCursor: null }),
}).and("POST", {
  // The link is only in this response.
  operation: "members.manage",
  confirms: "always",
  summary: "Invite a member by link",
  body: inviteBody,
  answers: { 201: createdInvitation },
  example: { body: { role: "developer", validDays: 7 } },
  handle: ({ context, body }) => inviteMember(context, body),
});

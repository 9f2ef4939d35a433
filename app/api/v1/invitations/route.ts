import { authorize } from "#lib/auth/actor";
import { insertInvitation, listInvitations } from "#lib/auth/invitation-store";
import { env } from "#lib/config/env";
import { createdInvitation, invitationList, inviteBody } from "#lib/contracts/invitations";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Invitations that can still be used, newest first; never a link. */
export const GET = defineRoute({
  operation: "members.manage",
  summary: "List open invitations",
  answers: { 200: invitationList },
  example: {},
  handle: async ({ actor }) => ({ data: await listInvitations(actor.workspaceId, new Date()), nextCursor: null }),
});

/** Makes an invitation. Its link is in this answer and nowhere else. */
export const POST = defineRoute({
  operation: "members.manage",
  summary: "Invite a member by link",
  body: inviteBody,
  answers: { 201: createdInvitation },
  example: { body: { role: "developer", validDays: 7 } },
  handle: async ({ actor, body }) => {
    if (body.role === "owner") authorize(actor, "owners.manage");
    const { token, ...made } = await insertInvitation(actor, body, new Date());
    const url = `${env().APP_URL}/join?token=${token}`;
    return Response.json({ ...made, url }, { status: 201, headers: { "cache-control": "no-store" } });
  },
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET, POST });

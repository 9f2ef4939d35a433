import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { idParams } from "#lib/contracts/api/ids";
import { changeRoleBody } from "#lib/contracts/auth/invitations";
import { changeMemberRole, endMembership } from "#lib/flows/members/manage-members";

/** Gives a member another role. The member signs in again: sessions here end at once. */
export const PATCH = defineRoute({
  operation: "members.manage",
  summary: "Change a member's role",
  params: idParams,
  body: changeRoleBody,
  answers: { 204: null },
  example: { params: { id: "usr_example_colleague" }, body: { role: "viewer" } },
  handle: async ({ actor, audit, params, body }) => {
    await changeMemberRole(actor, params.id, body.role, audit);
    return new Response(null, { status: 204 });
  },
});

/** Takes a member out of the workspace, at once. The account stays. */
export const DELETE = defineRoute({
  operation: "members.manage",
  summary: "Remove a member",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "usr_example_colleague" } },
  handle: async ({ actor, audit, params }) => {
    await endMembership(actor, params.id, audit);
    return new Response(null, { status: 204 });
  },
});

export const { GET, POST, PUT, OPTIONS } = otherMethods({ PATCH, DELETE });

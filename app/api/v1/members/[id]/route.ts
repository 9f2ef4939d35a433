import { changeRole, removeMember } from "#lib/auth/member-store";
import { idParams } from "#lib/contracts/ids";
import { changeRoleBody } from "#lib/contracts/invitations";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Gives a member another role. The member signs in again: sessions here end at once. */
export const PATCH = defineRoute({
  operation: "members.manage",
  summary: "Change a member's role",
  params: idParams,
  body: changeRoleBody,
  answers: { 204: null },
  example: { params: { id: "usr_example_colleague" }, body: { role: "viewer" } },
  handle: async ({ actor, params, body }) => {
    await changeRole(actor, params.id, body.role);
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
  handle: async ({ actor, params }) => {
    await removeMember(actor, params.id);
    return new Response(null, { status: 204 });
  },
});

export const { GET, POST, PUT, OPTIONS } = otherMethods({ PATCH, DELETE });

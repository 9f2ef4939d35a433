import { leaveWorkspace } from "#lib/auth/member-store";
import { requirePerson } from "#lib/auth/person";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Leaves the workspace. The last owner can't. */
export const DELETE = defineRoute({
  operation: "account.manage",
  summary: "Leave the workspace",
  answers: { 204: null },
  example: {},
  handle: async ({ actor }) => {
    requirePerson(actor);
    await leaveWorkspace(actor);
    return new Response(null, { status: 204 });
  },
});

export const { GET, POST, PUT, PATCH, OPTIONS } = otherMethods({ DELETE });

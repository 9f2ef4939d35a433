import { defineRoute } from "#lib/api/define-route";
import { removeMemberQuery } from "#lib/contracts/auth/invitations";
import { leaveWorkspace } from "#lib/flows/members/members";

/** The last owner can't leave. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "account.manage",
  summary: "Leave the workspace",
  query: removeMemberQuery,
  answers: { 204: null },
  example: {},
  handle: ({ context, query }) => leaveWorkspace(context, query.endApiKeys),
});

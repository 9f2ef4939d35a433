import { defineRoute } from "#lib/api/define-route";
import { requirePerson } from "#lib/auth/actor";
import { removeMemberQuery } from "#lib/contracts/auth/invitations";
import { endOwnMembership } from "#lib/flows/members/members";

/** The last owner can't leave. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "account.manage",
  summary: "Leave the workspace",
  query: removeMemberQuery,
  answers: { 204: null },
  example: {},
  handle: async ({ actor, audit, query, receivedAt }) => {
    requirePerson(actor);
    await endOwnMembership(actor, { apiKeys: query.endApiKeys, now: receivedAt }, audit);
    return new Response(null, { status: 204 });
  },
});

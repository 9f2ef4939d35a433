import { defineRoute } from "#lib/api/define-route";
import { listMembers } from "#lib/auth/members/user-store";
import { memberList } from "#lib/contracts/auth/settings";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "members.read",
  summary: "List members",
  answers: { 200: memberList },
  example: {},
  handle: async ({ actor, receivedAt }) => ({ data: await listMembers(actor.workspaceId, receivedAt), nextCursor: null }),
});

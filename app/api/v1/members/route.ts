import { listMembers } from "#lib/auth/user-store";
import { memberList } from "#lib/contracts/settings";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The people of the workspace and their roles. */
export const GET = defineRoute({
  operation: "members.read",
  summary: "List members",
  answers: { 200: memberList },
  example: {},
  handle: async ({ actor }) => ({ data: await listMembers(actor.workspaceId), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

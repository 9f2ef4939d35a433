import { listMembers } from "#lib/auth/user-store";
import { defineRoute } from "#lib/http/define-route";

/** The people of the workspace and their roles. */
export const GET = defineRoute({
  operation: "members.read",
  handle: async ({ actor }) => ({ data: await listMembers(actor.workspaceId), nextCursor: null }),
});

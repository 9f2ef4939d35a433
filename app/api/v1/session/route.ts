import { defineRoute } from "#lib/api/define-route";
import { type SessionInfo, sessionInfo } from "#lib/contracts/auth/settings";

/** `user` is null for an API key. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "session.read",
  summary: "Read the current session",
  answers: { 200: sessionInfo },
  example: {},
  handle: async ({ actor: { by, role, workspaceId, workspaceName } }): Promise<SessionInfo> => ({
    user: by.kind === "session" ? { id: by.userId, email: by.email, name: by.name } : null,
    workspace: { id: workspaceId, name: workspaceName },
    role,
  }),
});

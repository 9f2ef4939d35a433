import { renameWorkspace } from "#lib/auth/workspace-store";
import { workspaceBody, workspaceInfo } from "#lib/contracts/account";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Gives the workspace another name. */
export const PATCH = defineRoute({
  operation: "workspace.manage",
  summary: "Rename the workspace",
  body: workspaceBody,
  answers: { 200: workspaceInfo },
  example: { body: { name: "Acme production" } },
  handle: async ({ actor, body }) => {
    await renameWorkspace(actor, body.name);
    return { id: actor.workspaceId, name: body.name };
  },
});

export const { GET, POST, PUT, DELETE, OPTIONS } = otherMethods({ PATCH });

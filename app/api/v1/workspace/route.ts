import { defineRoute } from "#lib/api/define-route";
import { workspaceBody, workspaceInfo } from "#lib/contracts/auth/account";
import { renameWorkspace } from "#lib/flows/members/members";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PATCH", {
  operation: "workspace.manage",
  summary: "Rename the workspace",
  body: workspaceBody,
  answers: { 200: workspaceInfo },
  example: { body: { name: "Acme production" } },
  handle: async ({ context, body }) => {
    await renameWorkspace(context, body.name);
    return { id: context.workspaceId, name: body.name };
  },
});

import { defineRoute } from "#lib/api/define-route";
import { workspaceSettings, workspaceSettingsBody } from "#lib/contracts/auth/account";
import { answered } from "#lib/db/columns";
import { changeSettings } from "#lib/flows/members/members";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PATCH", {
  operation: "workspace.manage",
  summary: "Change the workspace's general settings",
  body: workspaceSettingsBody,
  answers: { 200: workspaceSettings },
  example: { body: { name: "Acme production" } },
  handle: async ({ context, body }) => answered(workspaceSettings, { id: context.workspaceId, ...(await changeSettings(context, body)) }),
});

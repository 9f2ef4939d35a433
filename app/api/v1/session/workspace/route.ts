import { defineRoute } from "#lib/api/define-route";
import { workspaceId } from "#lib/contracts/api/ids";
import { switchWorkspaceBody } from "#lib/contracts/auth/account";
import { enterWorkspace } from "#lib/flows/members/manage-account";

/** The session continues under a new cookie. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PUT", {
  operation: "account.manage",
  summary: "Switch to another workspace",
  body: switchWorkspaceBody,
  answers: { 204: null },
  example: { body: { workspaceId: "wsp_example" } },
  handle: async ({ context, body }) => {
    const cookie = await enterWorkspace(context, workspaceId.parse(body.workspaceId));
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

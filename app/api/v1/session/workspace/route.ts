import { defineRoute } from "#lib/api/define-route";
import { requirePerson } from "#lib/auth/actor";
import { workspaceId } from "#lib/contracts/api/ids";
import { switchWorkspaceBody } from "#lib/contracts/auth/account";
import { switchWorkspace } from "#lib/flows/members/manage-account";

/** The session continues under a new cookie. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PUT", {
  operation: "account.manage",
  summary: "Switch to another workspace",
  body: switchWorkspaceBody,
  answers: { 204: null },
  example: { body: { workspaceId: "wsp_example" } },
  handle: async ({ actor, audit, body }) => {
    requirePerson(actor);
    const cookie = await switchWorkspace(actor, workspaceId.parse(body.workspaceId), audit);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

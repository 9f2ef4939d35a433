import { requirePerson } from "#lib/auth/person";
import { enterWorkspace } from "#lib/auth/session-rotation-store";
import { switchWorkspaceBody } from "#lib/contracts/account";
import { workspaceId } from "#lib/contracts/ids";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Takes this session to another workspace of the person, under a new cookie. */
export const PUT = defineRoute({
  operation: "account.manage",
  summary: "Switch to another workspace",
  body: switchWorkspaceBody,
  answers: { 204: null },
  example: { body: { workspaceId: "wsp_example" } },
  handle: async ({ actor, body }) => {
    requirePerson(actor);
    const cookie = await enterWorkspace(actor, workspaceId.parse(body.workspaceId));
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

export const { GET, POST, PATCH, DELETE, OPTIONS } = otherMethods({ PUT });

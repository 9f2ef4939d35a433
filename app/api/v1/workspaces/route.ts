import { defineRoute } from "#lib/api/define-route";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { ownWorkspaceList, workspaceBody, workspaceInfo } from "#lib/contracts/auth/account";
import { createWorkspace } from "#lib/flows/members/manage-account";

/** An API key sees only its own workspace. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "session.read",
  summary: "List your workspaces",
  answers: { 200: ownWorkspaceList },
  example: {},
  handle: async ({ actor: { by, workspaceId, workspaceName, role } }) => {
    const own = by.kind === "session" ? await listWorkspacesOf(by.userId) : [{ id: workspaceId, name: workspaceName, role }];
    return { data: own.map((each) => ({ ...each, current: each.id === workspaceId })), nextCursor: null };
  },
}).and("POST", {
  operation: "workspaces.create",
  summary: "Create a workspace",
  body: workspaceBody,
  answers: { 201: workspaceInfo },
  example: { body: { name: "Acme staging" } },
  handle: async ({ context, body }) => {
    const { id, cookie } = await createWorkspace(context, body.name);
    const headers = { "cache-control": "no-store", "set-cookie": cookie };
    return Response.json({ id, name: body.name }, { status: 201, headers });
  },
});

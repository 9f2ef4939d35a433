import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { changeRoleBody, removeMemberQuery } from "#lib/contracts/auth/invitations";
import { changeRole, removeMember } from "#lib/flows/members/members";

/** The member's sessions end at once, and with a lower role their unused invitations. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PATCH", {
  operation: "members.manage",
  confirms: "always",
  summary: "Change a member's role",
  params: idParams,
  body: changeRoleBody,
  answers: { 204: null },
  example: { params: { id: "usr_example_colleague" }, body: { role: "viewer" } },
  handle: ({ context, params, body }) => changeRole(context, params.id, body.role, body.endApiKeys),
}).and("DELETE", {
  // Their unused invitations end too. The account stays.
  operation: "members.manage",
  confirms: "always",
  summary: "Remove a member",
  params: idParams,
  query: removeMemberQuery,
  answers: { 204: null },
  example: { params: { id: "usr_example_colleague" } },
  handle: ({ context, params, query }) => removeMember(context, params.id, query.endApiKeys),
});

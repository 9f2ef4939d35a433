import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { withdrawInvitation } from "#lib/flows/members/members";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "members.manage",
  summary: "Revoke an invite",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "inv_example" } },
  handle: ({ context, params }) => withdrawInvitation(context, params.id),
});

import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { factorsRemoved } from "#lib/contracts/auth/account";
import { removeFactorsOfMember } from "#lib/flows/sign-in/manage-factors";

/** For a member who has lost them. Their sessions end everywhere, and they are told by email. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "workspace.secure",
  summary: "Remove a member's second factors",
  description: "Requires a sign-in or a confirmation within the last 15 minutes, and ownership of every workspace of the member.",
  params: idParams,
  answers: { 200: factorsRemoved },
  example: { params: { id: "usr_example_colleague" } },
  handle: ({ context, params }) => removeFactorsOfMember(context, params.id),
});

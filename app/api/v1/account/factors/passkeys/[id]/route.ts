import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { removeFactor } from "#lib/flows/sign-in/manage-factors";

/** All other sessions end. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "account.manage",
  summary: "Remove one of your passkeys",
  description: "Requires a sign-in or a confirmation within the last 15 minutes.",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "pky_example" } },
  handle: ({ context, params }) => removeFactor(context, params.id),
});

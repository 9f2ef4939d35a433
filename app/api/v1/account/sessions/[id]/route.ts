import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { endSession } from "#lib/flows/members/manage-account";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "account.manage",
  summary: "End a session",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "ses_0123456789abcdef" } },
  handle: ({ context, params }) => endSession(context, params.id),
});

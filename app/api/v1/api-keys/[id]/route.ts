import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { endApiKey } from "#lib/flows/members/members";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "keys.manage",
  summary: "Revoke an API key",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "key_example" } },
  handle: ({ context, params }) => endApiKey(context, params.id),
});

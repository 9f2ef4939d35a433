import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { forgetDevice } from "#lib/flows/sign-in/manage-factors";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "account.manage",
  summary: "Forget a remembered browser",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "dev_device_example-o" } },
  handle: ({ context, params }) => forgetDevice(context, params.id),
});

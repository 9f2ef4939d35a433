import { defineRoute } from "#lib/api/define-route";
import { recoveryCodes } from "#lib/contracts/auth/account";
import { renewRecoveryCodes } from "#lib/flows/sign-in/manage-factors";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "account.manage",
  summary: "Create new recovery codes",
  description: "They are only shown in this response. Requires a sign-in or a confirmation within the last 15 minutes.",
  answers: { 200: recoveryCodes },
  example: {},
  handle: async ({ context }) => ({ recoveryCodes: await renewRecoveryCodes(context) }),
});

import { defineRoute } from "#lib/api/define-route";
import { removeFactor } from "#lib/flows/sign-in/manage-factors";

/** All other sessions end. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("DELETE", {
  operation: "account.manage",
  summary: "Remove your authenticator app",
  description: "Requires a sign-in or a confirmation within the last 15 minutes.",
  problems: ["not_found"],
  answers: { 204: null },
  example: {},
  handle: ({ context }) => removeFactor(context, null),
});

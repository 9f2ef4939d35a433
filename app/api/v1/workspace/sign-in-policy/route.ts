import { defineRoute } from "#lib/api/define-route";
import { findSettings } from "#lib/auth/members/workspace-store";
import { signInPolicy } from "#lib/contracts/auth/account";
import { answered } from "#lib/db/columns";
import { changeSignInPolicy } from "#lib/flows/sign-in/manage-factors";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "members.read",
  summary: "Read whether members need a second factor",
  answers: { 200: signInPolicy },
  example: {},
  handle: async ({ actor }) => answered(signInPolicy, await findSettings(actor.workspaceId)),
}).and("PUT", {
  operation: "workspace.secure",
  summary: "Set whether members need a second factor",
  description: "Takes effect at once, also for open sessions. Single sign-on and API keys are unaffected.",
  body: signInPolicy,
  answers: { 200: signInPolicy },
  example: { body: { requiresSecondFactor: true } },
  handle: async ({ context, body }) => {
    await changeSignInPolicy(context, body.requiresSecondFactor);
    return body;
  },
});

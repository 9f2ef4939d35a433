import { defineRoute } from "#lib/api/define-route";
import { sandboxSecretBody, sandboxSecretSaved } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { saveSigningSecret } from "#lib/sandbox/sandbox-store";

export const PUT = whileSandboxOn(
  defineRoute("PUT", {
    operation: "sandbox.use",
    confirms: "always",
    summary: "Set the sandbox platform's signing secret",
    answers: { 200: sandboxSecretSaved },
    example: { body: { secret: "a-webhook-secret-of-the-tests" } },
    body: sandboxSecretBody,
    handle: async ({ actor, audit, body }) => {
      await saveSigningSecret(actor.workspaceId, body.secret);
      await audit.record({ action: "sandbox.secret_set" });
      return { saved: true };
    },
  }).PUT,
);

import { sandboxSecretBody, sandboxSecretSaved } from "#lib/contracts/sandbox";
import { defineRoute } from "#lib/http/define-route";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { saveSigningSecret } from "#lib/sandbox/signing-secret-store";

/** Tells the sandbox platform what to sign with, as a person would in the settings of the real one. */
export const PUT = whileSandboxOn(
  defineRoute({
    operation: "sandbox.use",
    summary: "Tell the sandbox platform what to sign its webhooks with",
    answers: { 200: sandboxSecretSaved },
    example: { body: { secret: "a-webhook-secret-of-the-tests" } },
    body: sandboxSecretBody,
    handle: async ({ body }) => {
      await saveSigningSecret(body.secret);
      return { saved: true };
    },
  }),
);

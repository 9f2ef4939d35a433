import { defineRoute } from "#lib/api/define-route";
import { receiverSecretBody, receiverSecretSaved } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { findOrInsertReceiver, insertReceiverSecret } from "#lib/sandbox/sandbox-store";

export const PUT = whileSandboxOn(
  defineRoute("PUT", {
    operation: "sandbox.use",
    summary: "Give the sandbox's receiving app a signing secret",
    answers: { 200: receiverSecretSaved },
    example: { body: { secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=" } },
    body: receiverSecretBody,
    handle: async ({ actor, audit, body }) => {
      const { id } = await findOrInsertReceiver(actor.workspaceId);
      await insertReceiverSecret(actor.workspaceId, id, body.secret);
      await audit.record({ action: "sandbox.receiving_app_secret_added", target: { kind: "receiving_app", id } });
      return { saved: true };
    },
  }).PUT,
);

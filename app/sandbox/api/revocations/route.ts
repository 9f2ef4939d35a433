import { defineRoute } from "#lib/api/define-route";
import { sandboxRevoked } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { revokeAll } from "#lib/sandbox/oauth/grants-store";

/** Acts like an account's administrator: the next refresh is rejected. */
export const POST = whileSandboxOn(
  defineRoute("POST", {
    operation: "sandbox.use",
    summary: "Revoke all grants of the sandbox platform",
    answers: { 200: sandboxRevoked },
    example: {},
    handle: async ({ actor, audit }) => {
      const revoked = await revokeAll(actor.workspaceId, new Date());
      await audit.record({ action: "sandbox.grants_revoked", after: { grants: revoked } });
      return { revoked };
    },
  }).POST,
);

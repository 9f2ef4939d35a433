import { sandboxRevoked } from "#lib/contracts/sandbox";
import { defineRoute } from "#lib/http/define-route";
import { revokeAll } from "#lib/sandbox/grants-store";
import { whileSandboxOn } from "#lib/sandbox/http-answers";

/** Takes back every grant, as an account's administrator might: the next refresh is refused. */
export const POST = whileSandboxOn(
  defineRoute({
    operation: "sandbox.use",
    summary: "Take back every grant of the sandbox platform",
    answers: { 200: sandboxRevoked },
    example: {},
    handle: async () => ({ revoked: await revokeAll(new Date()) }),
  }),
);

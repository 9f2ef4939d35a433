import { defineRoute } from "#lib/http/define-route";
import { revokeAll } from "#lib/sandbox/grants-store";
import { whileSandboxOn } from "#lib/sandbox/http-answers";

/** Takes back every grant, as an account's administrator might: the next refresh is refused. */
export const POST = whileSandboxOn(
  defineRoute({
    operation: "sandbox.use",
    handle: async () => ({ revoked: await revokeAll(new Date()) }),
  }),
);

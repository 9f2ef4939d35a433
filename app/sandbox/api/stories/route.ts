import { sandboxStoryBody } from "#lib/contracts/sandbox";
import { defineRoute } from "#lib/http/define-route";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { queueStory } from "#lib/sandbox/queue-webhooks";

/** Tells an event story: its webhooks are sent one after another. 202: the sender takes them from here. */
export const POST = whileSandboxOn(
  defineRoute({
    operation: "sandbox.use",
    body: sandboxStoryBody,
    handle: async ({ body }) => Response.json(await queueStory(body, new Date()), { status: 202 }),
  }),
);

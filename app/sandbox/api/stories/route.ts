import { sandboxSent, sandboxStoryBody } from "#lib/contracts/sandbox";
import { defineRoute } from "#lib/http/define-route";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { queueStory } from "#lib/sandbox/queue-webhooks";

/** Tells an event story: its webhooks are sent one after another. 202: the sender takes them from here. */
export const POST = whileSandboxOn(
  defineRoute({
    operation: "sandbox.use",
    summary: "Tell an event story from the sandbox platform",
    answers: { 202: sandboxSent },
    example: { body: { story: "document_to_done", pace: 50 } },
    body: sandboxStoryBody,
    handle: async ({ body }) => Response.json(await queueStory(body, new Date()), { status: 202 }),
  }),
);

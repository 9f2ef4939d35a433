import { sandboxBusyDays, sandboxBusyDaysBody } from "#lib/contracts/sandbox";
import { defineRoute } from "#lib/http/define-route";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { queueBusyDays } from "#lib/sandbox/queue-webhooks";

/** Queues the events of many documents, created over many days. 202: the sender takes them from here. */
export const POST = whileSandboxOn(
  defineRoute({
    operation: "sandbox.use",
    summary: "Send the events of many documents over many days",
    answers: { 202: sandboxBusyDays },
    example: { body: { documents: 2, days: 1, seed: 7 } },
    body: sandboxBusyDaysBody,
    handle: async ({ body }) => Response.json(await queueBusyDays(body, new Date()), { status: 202 }),
  }),
);

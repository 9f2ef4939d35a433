import { defineRoute } from "#lib/api/define-route";
import { sandboxDeliveryList } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { listNewest } from "#lib/sandbox/webhooks/deliveries-store";

export const GET = whileSandboxOn(
  defineRoute("GET", {
    operation: "sandbox.use",
    summary: "List what the sandbox platform sent",
    answers: { 200: sandboxDeliveryList },
    example: {},
    handle: async ({ actor }) => ({ data: await listNewest(actor.workspaceId, 100), nextCursor: null }),
  }).GET,
);

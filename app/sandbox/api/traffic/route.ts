import { defineRoute } from "#lib/api/define-route";
import { sandboxTraffic, sandboxTrafficBody } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { queueTraffic } from "#lib/sandbox/webhooks/queue-webhooks";

export const POST = whileSandboxOn(
  defineRoute("POST", {
    operation: "sandbox.use",
    summary: "Generate traffic: events of many documents over many days",
    answers: { 202: sandboxTraffic },
    example: { body: { documents: 2, days: 1, seed: 7 } },
    body: sandboxTrafficBody,
    handle: async ({ actor, audit, body }) => {
      const queued = await queueTraffic(actor.workspaceId, body, new Date());
      await audit.record({ action: "sandbox.traffic_generated", after: body });
      return Response.json(queued, { status: 202 });
    },
  }).POST,
);

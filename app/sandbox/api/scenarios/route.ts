import { defineRoute } from "#lib/api/define-route";
import { sandboxScenarioBody, sandboxSent } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { queueScenario } from "#lib/sandbox/webhooks/queue-webhooks";

export const POST = whileSandboxOn(
  defineRoute("POST", {
    operation: "sandbox.use",
    summary: "Run a scenario on the sandbox platform",
    answers: { 202: sandboxSent },
    example: { body: { scenario: "document_to_done", pace: 50 } },
    body: sandboxScenarioBody,
    handle: async ({ actor, audit, body }) => {
      const queued = await queueScenario(actor.workspaceId, body, new Date());
      await audit.record({ action: "sandbox.scenario_run", after: { scenario: body.scenario } });
      return Response.json(queued, { status: 202 });
    },
  }).POST,
);

import { defineRoute } from "#lib/api/define-route";
import { sandboxEventBody, sandboxSent } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { queueEvent } from "#lib/sandbox/webhooks/queue-webhooks";

/** 202: the sender delivers it later, with a fault if one is requested. */
export const POST = whileSandboxOn(
  defineRoute("POST", {
    operation: "sandbox.use",
    summary: "Send an event from the sandbox platform",
    answers: { 202: sandboxSent },
    example: { body: { type: "document.processed", data: { documentId: "doc_example" }, fault: null } },
    body: sandboxEventBody,
    anyText: true,
    exactFields: ["data"],
    handle: async ({ actor, audit, body }) => {
      const queued = await queueEvent(actor.workspaceId, body, new Date());
      await audit.record({ action: "sandbox.event_sent", after: { type: body.type, fault: body.fault } });
      return Response.json(queued, { status: 202 });
    },
  }).POST,
);

import { defineRoute } from "#lib/api/define-route";
import { senderEventBody, senderEventSent } from "#lib/contracts/sandbox";
import { findOwnSource } from "#lib/flows/sources/read-sources";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { sendAs } from "#lib/sandbox/sender-events";

export const POST = whileSandboxOn(
  defineRoute("POST", {
    operation: "sandbox.use",
    summary: "Send an event to a source, as its sender would",
    description: "Sent at once with the secret in the request; returns the source's response. The secret is not stored.",
    answers: { 200: senderEventSent },
    example: { body: { source: "other-example", secret: "a-webhook-secret-of-the-tests", fault: null } },
    body: senderEventBody,
    anyText: true,
    handle: async ({ actor, audit, body, receivedAt }) => {
      const sent = await sendAs(actor.workspaceId, await findOwnSource(actor.workspaceId, body.source), body, receivedAt);
      await audit.record({ action: "sandbox.sender_event_sent", after: { source: body.source, fault: body.fault ?? null } });
      return sent;
    },
  }).POST,
);

import { defineRoute } from "#lib/api/define-route";
import { receiverBehaviour, receivingApp } from "#lib/contracts/sandbox";
import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { readReceivingApp } from "#lib/sandbox/receiving-app";
import { findOrInsertReceiver, updateBehaviour } from "#lib/sandbox/sandbox-store";

export const GET = whileSandboxOn(
  defineRoute("GET", {
    operation: "sandbox.use",
    summary: "Read the sandbox's receiving app",
    answers: { 200: receivingApp },
    example: {},
    handle: ({ actor }) => readReceivingApp(actor.workspaceId),
  }).GET,
);

export const PUT = whileSandboxOn(
  defineRoute("PUT", {
    operation: "sandbox.use",
    summary: "Set how the sandbox's receiving app answers",
    answers: { 200: receivingApp },
    example: { body: { answer: "fail_every", every: 3, status: 503, delayMs: 0 } },
    body: receiverBehaviour,
    handle: async ({ actor, audit, body }) => {
      const { id, behaviour } = await findOrInsertReceiver(actor.workspaceId);
      await updateBehaviour(id, body);
      await audit.record({ action: "sandbox.receiving_app_changed", before: behaviour, after: body });
      return readReceivingApp(actor.workspaceId);
    },
  }).PUT,
);

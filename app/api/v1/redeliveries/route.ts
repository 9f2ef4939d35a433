import { actorName } from "#lib/auth/actor";
import { redeliveriesAccepted, redeliveriesBody } from "#lib/contracts/redeliveries";
import { redeliverMatching } from "#lib/flows/redeliver-events";
import { defineRoute } from "#lib/http/define-route";

/** Delivers again what matches a filter, or counts it (`dryRun`). */
export const POST = defineRoute({
  operation: "events.redeliver",
  summary: "Deliver again what matches a filter",
  answers: { 200: redeliveriesAccepted, 202: redeliveriesAccepted },
  example: { body: { filter: { type: ["document.processed"] }, name: "after the fix", dryRun: true } },
  body: redeliveriesBody,
  handle: async ({ actor, body: { filter, name, dryRun } }) => {
    const result = await redeliverMatching(actor.workspaceId, filter, { name: name ?? null, dryRun, requestedBy: actorName(actor) });
    return Response.json({ ...result, dryRun }, { status: dryRun ? 200 : 202 });
  },
});

import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { dryRunOutcome } from "#lib/contracts/redeliveries";
import { dryRunRedelivery } from "#lib/flows/processing/redeliver-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "events.redeliver",
  cost: "heavy",
  summary: "Preview what a held re-delivery would change",
  params: idParams,
  answers: { 200: dryRunOutcome },
  example: { params: { id: "red_example" } },
  changes: "nothing",
  handle: ({ actor, params }) => expectFound(dryRunRedelivery(actor.workspaceId, params.id), "re-delivery with that ID"),
});

import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { redeliveryProgress } from "#lib/contracts/redeliveries";
import { stopRedelivery } from "#lib/flows/processing/redeliver-events";
import { findRedelivery } from "#lib/processing/redelivery-store";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Read the progress of a re-delivery",
  params: idParams,
  answers: { 200: redeliveryProgress },
  example: { params: { id: "red_example" } },
  handle: ({ actor, params }) => expectFound(findRedelivery(actor.workspaceId, params.id), "re-delivery with that ID"),
}).and("DELETE", {
  // Stops the events that still wait; those already applied are kept.
  operation: "events.redeliver",
  summary: "Stop a re-delivery",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "red_example" } },
  handle: ({ context, params }) => stopRedelivery(context, params.id),
});

import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { acceptDriftBody, eventTypeDetail } from "#lib/contracts/event-types";
import { acceptDrift } from "#lib/flows/event-types/manage-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "event_types.manage",
  summary: "Accept an event type's drift: this is how it is now",
  description: "Closes the drifts and their issues, and makes a version. Without `drifts`, all that are open.",
  params: idParams,
  body: acceptDriftBody,
  answers: { 200: eventTypeDetail },
  example: { params: { id: "ety_example" }, body: {} },
  handle: ({ context, params, body: { drifts } }) => acceptDrift(context, params.id, drifts),
});

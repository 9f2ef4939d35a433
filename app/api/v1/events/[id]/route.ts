import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { eventDetail } from "#lib/contracts/events/events";
import { readEvent } from "#lib/flows/events/read-event";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "Read an event",
  params: idParams,
  answers: { 200: eventDetail },
  example: { params: { id: "evt_example" } },
  handle: ({ actor, params }) => expectFound(readEvent(actor.workspaceId, params.id), "event with that ID"),
});

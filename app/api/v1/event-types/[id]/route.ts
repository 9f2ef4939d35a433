import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { eventTypeDetail } from "#lib/contracts/event-types";
import { expectEventType } from "#lib/flows/event-types/manage-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Read an event type",
  description:
    "Its fields in the order of a tree, with how often each was there, its types, formats and values; drifts, versions and the pin. Values are kept of enumerations only: 12 at most, each seen in events of three records.",
  params: idParams,
  answers: { 200: eventTypeDetail },
  example: { params: { id: "ety_example" } },
  handle: ({ actor, params }) => expectEventType(actor.workspaceId, params.id),
});

import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { redeliveryAccepted } from "#lib/contracts/events/events";
import { redeliverBody } from "#lib/contracts/redeliveries";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "events.redeliver",
  summary: "Re-deliver an event",
  params: idParams,
  answers: { 202: redeliveryAccepted },
  example: { params: { id: "evt_example" }, body: { destinations: false } },
  body: redeliverBody,
  handle: async ({ actor, audit, params, body: { destinations } }) => {
    const eventId = params.id;
    const id = await expectFound(redeliverEvent(actor.workspaceId, eventId, actorName(actor), destinations), "event with that ID");
    const target = { kind: "event", id: eventId };
    await audit.record({ action: "redelivery.started", target, after: { redelivery: id, events: 1, destinations } });
    return { id, eventId, state: "queued" };
  },
});

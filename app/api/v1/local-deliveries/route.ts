import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { localDeliveriesBody, localDeliveriesKept } from "#lib/contracts/events/listeners";
import { keepLocalDeliveries } from "#lib/flows/listeners/listen";

/** Kept with the event and not in the audit log, because it changes nothing in Signalbox. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "local_deliveries.record",
  summary: "Record what a local app answered",
  body: localDeliveriesBody,
  answers: { 200: localDeliveriesKept },
  example: {
    body: {
      deliveries: [
        {
          eventId: "evt_example",
          command: "listen",
          listener: "laptop",
          url: "http://localhost:4000/",
          at: "2026-01-31T12:00:00Z",
          status: 200,
          durationMs: 12,
        },
      ],
    },
  },
  handle: async ({ actor, audit, body }) => {
    audit.unchanged();
    return { kept: await keepLocalDeliveries(actor.workspaceId, body.deliveries, actorName(actor)) };
  },
});

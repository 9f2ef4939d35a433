import { defineRoute } from "#lib/api/define-route";
import { deliveryPage, deliveryQuery } from "#lib/contracts/forwarding/deliveries";
import { withUnknown } from "#lib/flows/events/unknown-in-filter";
import { readDeliveries } from "#lib/flows/forwarding/read-deliveries";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "destinations.read",
  summary: "List deliveries",
  query: deliveryQuery,
  answers: { 200: deliveryPage },
  example: { query: { destination: "dst_example", state: "delivered" } },
  handle: ({ actor, query: { limit, cursor, ...filter } }) =>
    withUnknown(actor.workspaceId, { type: filter.type, cursor }, readDeliveries(actor.workspaceId, filter, { limit, cursor })),
});

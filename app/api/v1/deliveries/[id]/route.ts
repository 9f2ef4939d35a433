import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { deliveryDetail } from "#lib/contracts/forwarding/deliveries";
import { readDelivery } from "#lib/flows/forwarding/read-deliveries";

/** Attempts hold requests and responses to the byte. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "destinations.read",
  summary: "Read a delivery",
  params: idParams,
  answers: { 200: deliveryDetail },
  example: { params: { id: "dlv_1000007" } },
  handle: ({ actor, params }) => expectFound(readDelivery(actor.workspaceId, params.id), "delivery with that ID"),
});

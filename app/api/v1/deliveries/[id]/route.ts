import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
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
  handle: async ({ actor, params }) => {
    const found = await readDelivery(actor.workspaceId, params.id);
    if (!found) throw new AppError("not_found", "There is no delivery with that ID.");
    return found;
  },
});

import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { deliveryDetail } from "#lib/contracts/forwarding/deliveries";
import { retryDelivery } from "#lib/flows/forwarding/deliveries";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  summary: "Send a delivery again",
  description: "Works in any state; attempts are counted from zero again. The `webhook-id` stays the same.",
  params: idParams,
  answers: { 202: deliveryDetail },
  example: { params: { id: "dlv_1000007" } },
  handle: ({ context, params }) => retryDelivery(context, params.id),
});

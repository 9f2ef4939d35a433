import { defineRoute } from "#lib/api/define-route";
import { deliveryRetriesBody, retriesDryRun } from "#lib/contracts/forwarding/delivery-retries";
import { operation } from "#lib/contracts/operations";
import { dryRunRetries, requestRetries } from "#lib/flows/forwarding/deliveries";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  cost: "heavy",
  summary: "Send deliveries again that match a filter",
  description:
    "A worker sends them again, oldest event first; read `/operations/{id}` for its progress. Deliveries recorded after this request are not included. Deliveries to a paused or suspended destination are held until it is resumed.",
  answers: { 200: retriesDryRun, 202: operation },
  example: { body: { filter: { destination: "dst_example", state: ["exhausted", "skipped"] }, dryRun: true } },
  body: deliveryRetriesBody,
  handle: async ({ context, body: { filter, dryRun } }) => {
    if (!dryRun) return Response.json(await requestRetries(context, filter), { status: 202 });
    context.audit.unchanged();
    return dryRunRetries(context.workspaceId, filter);
  },
});

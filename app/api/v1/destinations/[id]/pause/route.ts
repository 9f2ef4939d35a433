import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { destination } from "#lib/contracts/forwarding/destinations";
import { pauseDestination } from "#lib/flows/forwarding/destinations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  summary: "Pause a destination",
  description:
    "Its deliveries are held from now on, and their events are kept for up to 30 days past the retention period. No attempts are used.",
  params: idParams,
  answers: { 200: destination },
  example: { params: { id: "dst_example" } },
  handle: ({ context, params }) => pauseDestination(context, params.id),
});

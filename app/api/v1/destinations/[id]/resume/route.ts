import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { resumeDestinationBody, resumedDestination } from "#lib/contracts/forwarding/destinations";
import { resumeDestination } from "#lib/flows/forwarding/destinations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  summary: "Resume a destination",
  description: "`held` decides which held deliveries are sent: `all`, the `newest_of_each_subject`, or `none`.",
  params: idParams,
  body: resumeDestinationBody,
  answers: { 200: resumedDestination },
  example: { params: { id: "dst_example_paused" }, body: { held: "newest_of_each_subject" } },
  handle: ({ context, params, body }) => resumeDestination(context, params.id, body.held),
});

import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { destinationTest } from "#lib/contracts/forwarding/destinations";
import { testDestination } from "#lib/flows/forwarding/test-destination";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  summary: "Send a test event to a destination",
  description:
    "Sent at once, in any state; the response contains the target's response. The test is neither stored nor counted. Signed mode sends a sample event, re-sign mode a sample event of the first source, and pass-through mode the newest stored event that the destination would receive, with its own signature (409 if there is none).",
  params: idParams,
  answers: { 200: destinationTest },
  example: { params: { id: "dst_example_paused" } },
  handle: ({ context, params }) => testDestination(context, params.id),
});

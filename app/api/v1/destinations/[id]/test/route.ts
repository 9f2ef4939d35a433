import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { idParams } from "#lib/contracts/api/ids";
import { destinationTest } from "#lib/contracts/forwarding/destinations";
import { testDestination } from "#lib/flows/forwarding/test-destination";

export const POST = defineRoute({
  operation: "destinations.manage",
  summary: "Send a test event to a destination",
  description:
    "Sent at once, in any state, and answered with what the target answered; neither stored nor counted. A made-up event in signed mode, and one of its first source in re-sign mode; in pass-through mode the newest stored event that the destination would get, with its own signature (409 when there is none).",
  params: idParams,
  answers: { 200: destinationTest },
  example: { params: { id: "dst_example_paused" } },
  handle: ({ actor, audit, params, receivedAt }) => testDestination(actor, params.id, receivedAt, audit),
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });

import { defineRoute } from "#lib/api/define-route";
import { rootCausePage } from "#lib/contracts/issues";
import { readCauses } from "#lib/flows/issues/root-causes";

/** Issues of one cause have the same code at the same source, from about the same time on. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "List the root causes of open issues",
  description:
    "Groups the open and acknowledged issues of events that could not be applied, at most 200 of them. Issues that share no cause with others are in no group.",
  answers: { 200: rootCausePage },
  example: {},
  handle: async ({ actor }) => ({ data: await readCauses(actor.workspaceId), nextCursor: null }),
});

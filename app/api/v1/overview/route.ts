import { defineRoute } from "#lib/api/define-route";
import { overview } from "#lib/contracts/overview";
import { readOverview } from "#lib/flows/overview/read-overview";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "overview.read",
  cost: "heavy",
  summary: "Read the overview",
  answers: { 200: overview },
  example: {},
  handle: ({ actor }) => readOverview(actor.workspaceId, new Date()),
});

import { defineRoute } from "#lib/api/define-route";
import { counts } from "#lib/contracts/overview";
import { readCounts } from "#lib/flows/overview/read-counts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "overview.read",
  summary: "Count what needs attention",
  answers: { 200: counts },
  example: {},
  handle: ({ actor }) => readCounts(actor.workspaceId, new Date()),
});

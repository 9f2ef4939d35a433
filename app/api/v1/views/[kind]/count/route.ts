import { defineRoute } from "#lib/api/define-route";
import { viewCount, viewCountParams, viewCountQuery } from "#lib/contracts/views";
import { countViewsOf } from "#lib/flows/views/read-views";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  summary: "Count records of a kind",
  params: viewCountParams,
  query: viewCountQuery,
  answers: { 200: viewCount },
  example: { params: { kind: "document" }, query: { failed: "true" } },
  handle: async ({ actor, params, query }) => ({ count: await countViewsOf(actor.workspaceId, params.kind, query) }),
});

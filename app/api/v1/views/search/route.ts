import { defineRoute } from "#lib/api/define-route";
import { viewSearch, viewSearchQuery } from "#lib/contracts/views";
import { searchViews } from "#lib/flows/views/read-views";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  cost: "heavy",
  summary: "Search records by name or ID",
  description:
    "Documents, tasks, pipelines, automations, runs and integrations whose name or ID contains every word, the best match first. When none does, those that differ by one typing error in each word (`approximate`).",
  query: viewSearchQuery,
  answers: { 200: viewSearch },
  example: { query: { q: "invoice" } },
  handle: ({ actor, query }) => searchViews(actor.workspaceId, query.q),
});

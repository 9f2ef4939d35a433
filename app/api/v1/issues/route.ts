import { defineRoute } from "#lib/api/define-route";
import { issuePage, issueQuery } from "#lib/contracts/issues";
import { withUnknown } from "#lib/flows/events/unknown-in-filter";
import { issueFilterOf, readIssues } from "#lib/flows/issues/issues";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List issues",
  answers: { 200: issuePage },
  example: { query: { state: "open", limit: "20" } },
  query: issueQuery,
  handle: async ({ actor, query: { limit, cursor, sort, ...asked }, receivedAt }) => {
    const filter = await issueFilterOf(actor, asked);
    const page = readIssues(actor.workspaceId, filter, { limit, cursor, sort }, receivedAt);
    return withUnknown(actor.workspaceId, { source: filter.source, cursor }, page);
  },
});

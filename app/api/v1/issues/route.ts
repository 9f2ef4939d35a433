import { defineRoute } from "#lib/api/define-route";
import { issuePage, issueQuery } from "#lib/contracts/issues";
import { issueFilterOf, readIssues } from "#lib/flows/issues/issues";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List issues",
  answers: { 200: issuePage },
  example: { query: { state: "open", limit: "20" } },
  query: issueQuery,
  handle: async ({ actor, query: { limit, cursor, sort, ...filter }, receivedAt }) =>
    readIssues(actor.workspaceId, await issueFilterOf(actor, filter), { limit, cursor, sort }, receivedAt),
});

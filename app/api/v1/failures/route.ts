import { failurePage } from "#lib/contracts/events";
import { pageQuery } from "#lib/contracts/paging";
import { readFailures } from "#lib/flows/read-failures";
import { defineRoute } from "#lib/http/define-route";

/** What failed: events that could not be applied, and failures that the platform reports. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "List what failed",
  answers: { 200: failurePage },
  example: { query: { limit: "20" } },
  query: pageQuery,
  handle: ({ actor, query }) => readFailures(actor.workspaceId, query),
});

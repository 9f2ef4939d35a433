import { issuePage, issueQuery } from "#lib/contracts/issues";
import { readIssues } from "#lib/flows/read-issues";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** What failed, grouped by kind of error, type and place. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "List what failed, by kind",
  answers: { 200: issuePage },
  example: { query: { state: "open", limit: "20" } },
  query: issueQuery,
  handle: ({ actor, query: { limit, cursor, ...filter } }) => readIssues(actor.workspaceId, filter, { limit, cursor }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

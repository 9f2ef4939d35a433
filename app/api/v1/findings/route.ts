import { findingPage, findingQuery } from "#lib/contracts/findings";
import { listFindings } from "#lib/findings/finding-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** What should have come and, as far as the log tells, never did. */
export const GET = defineRoute({
  operation: "findings.read",
  summary: "List what never came, as far as the log tells",
  query: findingQuery,
  answers: { 200: findingPage },
  example: { query: { limit: "20" } },
  handle: ({ actor, query }) => listFindings(actor.workspaceId, query),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

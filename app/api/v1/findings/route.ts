import { findingQuery } from "#lib/contracts/findings";
import { listFindings } from "#lib/findings/finding-store";
import { defineRoute } from "#lib/http/define-route";

/** What should have come and, as far as the log tells, never did. */
export const GET = defineRoute({
  operation: "findings.read",
  query: findingQuery,
  handle: ({ actor, query }) => listFindings(actor.workspaceId, query),
});

import { pageQuery } from "#lib/contracts/paging";
import { readQuarantine } from "#lib/flows/read-quarantine";
import { defineRoute } from "#lib/http/define-route";

/** Refused requests, newest first. */
export const GET = defineRoute({
  operation: "quarantine.read",
  query: pageQuery,
  handle: ({ actor, query }) => readQuarantine(actor.workspaceId, query),
});

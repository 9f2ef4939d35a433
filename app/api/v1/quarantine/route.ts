import { pageQuery } from "#lib/contracts/paging";
import { quarantinePage } from "#lib/contracts/quarantine";
import { readQuarantine } from "#lib/flows/read-quarantine";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Refused requests, newest first. */
export const GET = defineRoute({
  operation: "quarantine.read",
  summary: "List refused requests",
  answers: { 200: quarantinePage },
  example: { query: { limit: "20" } },
  query: pageQuery,
  handle: ({ actor, query }) => readQuarantine(actor.workspaceId, query),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

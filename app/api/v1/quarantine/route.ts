import { defineRoute, otherMethods } from "#lib/api/define-route";
import { quarantinePage, quarantineQuery } from "#lib/contracts/quarantine";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";

export const GET = defineRoute({
  operation: "quarantine.read",
  summary: "List quarantined requests",
  answers: { 200: quarantinePage },
  example: { query: { limit: "20" } },
  query: quarantineQuery,
  handle: ({ actor, query: { limit, cursor, ...filter } }) => readQuarantine(actor.workspaceId, filter, { limit, cursor }, new Date()),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

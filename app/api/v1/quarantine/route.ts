import { defineRoute } from "#lib/api/define-route";
import { quarantinePage, quarantineQuery } from "#lib/contracts/quarantine";
import { withUnknown } from "#lib/flows/events/unknown-in-filter";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "quarantine.read",
  summary: "List quarantined requests",
  answers: { 200: quarantinePage },
  example: { query: { limit: "20" } },
  query: quarantineQuery,
  handle: ({ actor, query: { limit, cursor, ...filter } }) =>
    withUnknown(actor.workspaceId, { ...filter, cursor }, readQuarantine(actor.workspaceId, filter, { limit, cursor }, new Date())),
});

import { defineRoute } from "#lib/api/define-route";
import { missingEventPage, missingEventQuery } from "#lib/contracts/missing-events";
import { withUnknown } from "#lib/flows/events/unknown-in-filter";
import { listNamedMissingEvents } from "#lib/flows/views/read-views";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "missing_events.read",
  summary: "List missing events",
  query: missingEventQuery,
  answers: { 200: missingEventPage },
  example: { query: { limit: "20" } },
  handle: ({ actor, query: { limit, cursor, ...filter } }) =>
    withUnknown(actor.workspaceId, { source: filter.source, cursor }, listNamedMissingEvents(actor.workspaceId, filter, { limit, cursor })),
});

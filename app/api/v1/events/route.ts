import { defineRoute, otherMethods } from "#lib/api/define-route";
import { eventPage, eventQuery } from "#lib/contracts/events/events";
import { listNamedEvents } from "#lib/flows/views/read-views";

export const GET = defineRoute({
  operation: "events.read",
  cost: "heavy",
  summary: "List events",
  problems: ["search_too_slow"],
  answers: { 200: eventPage },
  example: { query: { type: "document.processed", limit: "20" } },
  query: eventQuery,
  handle: ({ actor, query: { limit, cursor, ...filter }, receivedAt }) =>
    listNamedEvents(actor.workspaceId, filter, { limit, cursor, now: receivedAt }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

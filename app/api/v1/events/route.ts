import { eventPage, eventQuery } from "#lib/contracts/events";
import { listEvents } from "#lib/events/event-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The log, newest first. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "List events",
  answers: { 200: eventPage },
  example: { query: { type: "document.processed", limit: "20" } },
  query: eventQuery,
  handle: ({ actor, query: { limit, cursor, ...filter } }) => listEvents(actor.workspaceId, filter, { limit, cursor }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

import { defineRoute } from "#lib/api/define-route";
import { eventPage, eventQuery } from "#lib/contracts/events/events";
import { listNamedEvents } from "#lib/flows/views/read-views";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "List events",
  description:
    "Newest first. `type` takes a beginning, too: `document.*`. A type, source or payload field that no event has is named in `unknown`, with the nearest that some have.",
  problems: ["search_too_slow"],
  answers: { 200: eventPage },
  example: { query: { type: "document.processed", limit: "20" } },
  query: eventQuery,
  handle: ({ actor, query: { limit, cursor, order, ...filter }, receivedAt }) =>
    listNamedEvents(actor.workspaceId, filter, { limit, cursor, order, now: receivedAt }),
});

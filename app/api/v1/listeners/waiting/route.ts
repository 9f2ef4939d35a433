import { defineRoute } from "#lib/api/define-route";
import { waitingEvents, waitingQuery } from "#lib/contracts/events/listeners";
import { countWaiting } from "#lib/flows/listeners/listen";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Count the events waiting for a listener",
  answers: { 200: waitingEvents },
  example: { query: { type: "document.processed" } },
  query: waitingQuery,
  handle: ({ actor, query, receivedAt }) => countWaiting(actor.workspaceId, query, receivedAt),
});

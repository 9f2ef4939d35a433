import { defineRoute } from "#lib/api/define-route";
import { eventTypeItems, eventTypeQuery } from "#lib/contracts/event-types";
import { readEventTypes } from "#lib/flows/event-types/read-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List event types",
  description:
    "The types that each source sends, learnt from first deliveries, and those of the platform's documentation that were not received yet (`id` null). At most 500 of a workspace are learnt; others are listed with the state `not_learnt`.",
  query: eventTypeQuery,
  answers: { 200: eventTypeItems },
  example: {},
  handle: async ({ actor, query }) => ({ data: await readEventTypes(actor.workspaceId, query), nextCursor: null }),
});

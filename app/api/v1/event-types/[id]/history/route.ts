import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { schemaHistoryPage, schemaHistoryQuery } from "#lib/contracts/event-types";
import { readSchemaHistory } from "#lib/flows/event-types/read-event-types";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List what an event type's schema saw for the first time, and what people did with it",
  description: "The newest 1,000 lines are kept. With `event`, what that event brought.",
  params: idParams,
  query: schemaHistoryQuery,
  answers: { 200: schemaHistoryPage },
  example: { params: { id: "ety_example" }, query: { limit: "20" } },
  handle: ({ actor, params, query }) => expectFound(readSchemaHistory(actor.workspaceId, params.id, query), "event type with that ID"),
});

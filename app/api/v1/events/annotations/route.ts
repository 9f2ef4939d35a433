import { defineRoute } from "#lib/api/define-route";
import { annotations, annotationsQuery } from "#lib/contracts/events/events";
import { readAnnotations } from "#lib/flows/events/read-event";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List changes and interruptions that may explain a change in traffic",
  description: "Changed secrets, sources and field mappings, updates of Signalbox, and the times at which it was not running.",
  query: annotationsQuery,
  answers: { 200: annotations },
  example: { query: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" } },
  handle: async ({ actor, query }) => ({ data: await readAnnotations(actor.workspaceId, query) }),
});

import { defineRoute } from "#lib/api/define-route";
import { eventFilter, eventVolume } from "#lib/contracts/events/events";
import { readVolume } from "#lib/events/volume-store";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "Count events over time",
  description: "Returns about 60 steps at most. `precision` says whether the numbers are exact, estimated or a lower bound.",
  answers: { 200: eventVolume },
  example: { query: { period: "24h" } },
  query: eventFilter,
  handle: ({ actor, query, receivedAt }) => readVolume(actor.workspaceId, query, receivedAt),
});

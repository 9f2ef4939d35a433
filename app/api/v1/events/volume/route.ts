import { eventFilter, eventVolume } from "#lib/contracts/events";
import { readVolume } from "#lib/events/event-volume-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** How many events match a filter, over time. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Count events over time",
  description: "In at most some 60 steps. `precision` says whether the numbers are counted, estimated, or where counting stopped.",
  answers: { 200: eventVolume },
  example: { query: { period: "24h" } },
  query: eventFilter,
  handle: ({ actor, query }) => readVolume(actor.workspaceId, query),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

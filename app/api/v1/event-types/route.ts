import { defineRoute, otherMethods } from "#lib/api/define-route";
import { eventTypeList } from "#lib/contracts/events/event-types";
import { listEventTypes } from "#lib/platform/event-catalogue";

export const GET = defineRoute({
  operation: "events.read",
  summary: "List event types",
  answers: { 200: eventTypeList },
  example: {},
  handle: async () => ({ data: listEventTypes(), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

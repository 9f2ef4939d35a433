import { defineRoute, otherMethods } from "#lib/api/define-route";
import { listenerList } from "#lib/contracts/events/listeners";
import { listListeners } from "#lib/listeners/listener-store";

export const GET = defineRoute({
  operation: "events.read",
  summary: "List connected listeners",
  answers: { 200: listenerList },
  example: {},
  handle: async ({ actor }) => ({ data: await listListeners(actor.workspaceId), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

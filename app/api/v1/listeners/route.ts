import { defineRoute } from "#lib/api/define-route";
import { listenerList } from "#lib/contracts/events/listeners";
import { listListeners } from "#lib/listeners/listener-store";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List connected listeners",
  answers: { 200: listenerList },
  example: {},
  handle: async ({ actor }) => ({ data: await listListeners(actor.workspaceId), nextCursor: null }),
});

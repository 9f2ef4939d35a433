import { answerFeed } from "#lib/api/answer-feed";
import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { listenFrame, listenQuery } from "#lib/contracts/events/listeners";
import { findBeginning, listenToLog } from "#lib/flows/listeners/listen";

/** Waits for a slow reader instead of dropping frames. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Receive events with their bodies (server-sent events)",
  description: "What `signalbox listen` reads. To resume after a disconnect, send the ID of the last frame as Last-Event-ID.",
  answers: { 200: { mediaType: "text/event-stream", schema: listenFrame } },
  query: listenQuery,
  example: {},
  handle: async ({ actor, request, query }) => {
    const from = request.headers.get("last-event-id") ?? query.from;
    const start = await findBeginning(actor.workspaceId, { ...query, from });
    const by = actorName(actor);
    return answerFeed(actor, request, (signal, may) => listenToLog(actor.workspaceId, start, query, by, signal, may), "wait");
  },
});

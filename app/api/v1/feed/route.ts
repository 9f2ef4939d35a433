import { answerFeed } from "#lib/api/answer-feed";
import { defineRoute } from "#lib/api/define-route";
import { feedFrame, feedQuery } from "#lib/contracts/events/events";
import { readFeedCursor, watchFeed } from "#lib/flows/events/watch-feed";

/** It ends when the reader's permissions do. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Watch the log (server-sent events)",
  description:
    "A stream of frames `appended`, `applied`, `delayed` and `ready`. Send the last ID as Last-Event-ID to resume after a disconnect.",
  answers: { 200: { mediaType: "text/event-stream", schema: feedFrame } },
  query: feedQuery,
  example: {},
  handle: async ({ actor, request, query }) => {
    const from = request.headers.get("last-event-id") ?? query.from ?? null;
    const cursor = from === null ? null : readFeedCursor(from);
    return answerFeed(actor, request, (signal, mayStillWatch) => watchFeed(actor.workspaceId, cursor, signal, mayStillWatch));
  },
});

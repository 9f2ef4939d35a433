import { findActor } from "#lib/auth/find-actor";
import { can } from "#lib/auth/permissions";
import { feedFrame } from "#lib/contracts/feed";
import { watchFeed } from "#lib/flows/watch-feed";
import { defineRoute } from "#lib/http/define-route";
import { eventStream } from "#lib/http/event-stream";
import { otherMethods } from "#lib/http/other-methods";

/** The live feed (server-sent events), resumed from `Last-Event-ID`. It ends when the reader's rights do. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Watch the log (server-sent events)",
  description: "A stream of frames `appended`, `applied` and `ready`. Send the last id as Last-Event-ID to go on where it broke off.",
  answers: { 200: { mediaType: "text/event-stream", schema: feedFrame } },
  example: {},
  handle: async ({ actor, request }) => {
    const from = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("from");
    const mayStillWatch = async () => {
      const now = await findActor(request.headers);
      return now !== null && now.workspaceId === actor.workspaceId && can(now.role, "events.read");
    };
    return eventStream(request, (signal) => watchFeed(actor.workspaceId, from, signal, mayStillWatch));
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

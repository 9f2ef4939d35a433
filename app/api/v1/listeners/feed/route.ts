import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { actorName } from "#lib/auth/actor";
import { findActor } from "#lib/auth/find-actor";
import { can } from "#lib/auth/permissions";
import { listenFrame, listenQuery } from "#lib/contracts/events/listeners";
import { findBeginning, listenToLog } from "#lib/flows/listeners/listen";
import { eventStream } from "#lib/http/event-stream";

/** Events and re-deliveries to the byte (server-sent events), resumed from `Last-Event-ID`. A slow reader is waited for. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Receive events with their bodies (server-sent events)",
  description: "What `signalbox listen` reads. Every frame with an ID may be resumed from: send it as Last-Event-ID.",
  answers: { 200: { mediaType: "text/event-stream", schema: listenFrame } },
  query: listenQuery,
  example: {},
  handle: async ({ actor, request, query }) => {
    const from = request.headers.get("last-event-id") ?? query.from;
    const start = await findBeginning(actor.workspaceId, { ...query, from });
    const mayStillListen = async () => {
      const now = await findActor(request.headers);
      return now !== null && now.workspaceId === actor.workspaceId && can(now.role, "events.read");
    };
    const frames = (signal: AbortSignal) => listenToLog(actor.workspaceId, start, query, actorName(actor), signal, mayStillListen);
    return eventStream(request, frames, "wait");
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

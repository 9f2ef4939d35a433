import { eventQuery } from "#lib/contracts/events";
import { listEvents } from "#lib/events/event-store";
import { defineRoute } from "#lib/http/define-route";

/** The log, newest first. */
export const GET = defineRoute({
  operation: "events.read",
  query: eventQuery,
  handle: ({ actor, query: { limit, cursor, ...filter } }) => listEvents(actor.workspaceId, filter, { limit, cursor }),
});

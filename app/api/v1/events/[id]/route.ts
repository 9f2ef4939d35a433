import { AppError } from "#lib/contracts/app-error";
import { eventDetail } from "#lib/contracts/events";
import { idParams } from "#lib/contracts/ids";
import { readEvent } from "#lib/flows/read-event";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** One event: envelope, raw body, headers, verification, deliveries and attempts, effects, related. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Read an event",
  params: idParams,
  answers: { 200: eventDetail },
  example: { params: { id: "evt_example" } },
  handle: async ({ actor, params }) => {
    const event = await readEvent(actor.workspaceId, params.id);
    if (!event) throw new AppError("not_found", "The log has no event of that id.");
    return event;
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

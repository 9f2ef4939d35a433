import { actorName } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/app-error";
import { redeliveryAccepted } from "#lib/contracts/events";
import { idParams } from "#lib/contracts/ids";
import { redeliverEvent } from "#lib/flows/redeliver-events";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Delivers one event again. */
export const POST = defineRoute({
  operation: "events.redeliver",
  summary: "Deliver an event again",
  params: idParams,
  answers: { 202: redeliveryAccepted },
  example: { params: { id: "evt_example" } },
  handle: async ({ actor, params }) => {
    const eventId = params.id;
    const id = await redeliverEvent(actor.workspaceId, eventId, actorName(actor));
    if (!id) throw new AppError("not_found", "The log has no event of that id.");
    return Response.json({ id, eventId, state: "queued" }, { status: 202 });
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });

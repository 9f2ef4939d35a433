import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { redeliveryProgress, redeliveryStart } from "#lib/contracts/redeliveries";
import { startHeld } from "#lib/flows/redeliver-events";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Begins a held re-delivery, or resumes an aborted one. */
export const POST = defineRoute({
  operation: "events.redeliver",
  summary: "Begin a held redelivery, or resume an aborted one",
  params: idParams,
  answers: { 202: redeliveryProgress },
  example: { params: { id: "red_example" }, body: { name: "after the fix" } },
  body: redeliveryStart,
  handle: async ({ actor, params, body }) => {
    const progress = await startHeld(actor.workspaceId, params.id, body.name);
    if (!progress) throw new AppError("not_found", "There is no redelivery of that id.");
    return Response.json(progress, { status: 202 });
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });

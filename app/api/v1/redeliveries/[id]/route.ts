import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { redeliveryProgress } from "#lib/contracts/redeliveries";
import { abortRedelivery, findRedelivery } from "#lib/deliveries/redelivery-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

const missing = () => new AppError("not_found", "There is no redelivery of that id.");

/** How far a redelivery has come. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Read how far a redelivery has come",
  params: idParams,
  answers: { 200: redeliveryProgress },
  example: { params: { id: "red_example" } },
  handle: async ({ actor, params }) => {
    const redelivery = await findRedelivery(actor.workspaceId, params.id);
    if (!redelivery) throw missing();
    return redelivery;
  },
});

/** Aborts what still waits; what was applied stays. */
export const DELETE = defineRoute({
  operation: "events.redeliver",
  summary: "Abort a redelivery",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "red_example" } },
  handle: async ({ actor, params }) => {
    if (!(await abortRedelivery(actor.workspaceId, params.id))) throw missing();
    return new Response(null, { status: 204 });
  },
});

export const { POST, PUT, PATCH, OPTIONS } = otherMethods({ GET, DELETE });

import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { relearnStarted } from "#lib/contracts/event-types";
import { requestRelearning } from "#lib/flows/event-types/relearn";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "event_types.manage",
  summary: "Learn an event type again from the log",
  description:
    "An operation of the kind `relearn`: GET /api/v1/operations/{id} shows its progress. The schema is replaced when it ends; what people set stays.",
  params: idParams,
  answers: { 202: relearnStarted },
  example: { params: { id: "ety_example" } },
  handle: ({ context, params }) => requestRelearning(context, params.id),
});

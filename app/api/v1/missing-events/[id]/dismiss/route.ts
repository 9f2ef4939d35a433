import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { missingEvent } from "#lib/contracts/missing-events";
import { dismiss } from "#lib/flows/missing-events/manage-missing-events";

/** One that is not open is left unchanged. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "missing_events.dismiss",
  summary: "Dismiss a missing event",
  params: idParams,
  answers: { 200: missingEvent },
  example: { params: { id: "fnd_example" } },
  handle: ({ context, params }) => dismiss(context, params.id),
});

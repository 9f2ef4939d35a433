import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { redeliveryProgress, redeliveryStart } from "#lib/contracts/redeliveries";
import { startOrResume } from "#lib/flows/processing/redeliver-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "events.redeliver",
  summary: "Start a held re-delivery, or resume a stopped one",
  params: idParams,
  answers: { 202: redeliveryProgress },
  example: { params: { id: "red_example" }, body: { name: "after the fix" } },
  body: redeliveryStart,
  handle: ({ context, params, body: { name, destinations: toDestinations } }) =>
    expectFound(startOrResume(context, params.id, { name, toDestinations }), "re-delivery with that ID"),
});

import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { redeliveryEventPage, redeliveryEventQuery } from "#lib/contracts/redeliveries";
import { findRedelivery, listRedeliveryEvents } from "#lib/processing/redelivery-store";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "List the events of a re-delivery",
  params: idParams,
  query: redeliveryEventQuery,
  answers: { 200: redeliveryEventPage },
  example: { params: { id: "red_example" }, query: { limit: "20" } },
  handle: async ({ actor, params, query: { limit, cursor, ...filter } }) => {
    await expectFound(findRedelivery(actor.workspaceId, params.id), "re-delivery with that ID");
    return listRedeliveryEvents(actor.workspaceId, params.id, filter, { limit, cursor });
  },
});

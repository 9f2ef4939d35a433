import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { sourceDelay } from "#lib/contracts/auth/settings";
import { rangeQuery } from "#lib/contracts/events/event-times";
import { readDelay } from "#lib/flows/sources/read-sources";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "sources.read",
  cost: "heavy",
  summary: "Read how long a source's events take to arrive",
  params: idParams,
  query: rangeQuery,
  answers: { 200: sourceDelay },
  example: { params: { id: "src_example" }, query: { range: "24h" } },
  handle: ({ actor, params, query, receivedAt }) =>
    expectFound(readDelay(actor.workspaceId, params.id, receivedAt, query.range), "source with that ID"),
});

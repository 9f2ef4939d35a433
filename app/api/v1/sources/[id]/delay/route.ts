import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
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
  handle: async ({ actor, params, query, receivedAt }) => {
    const delay = await readDelay(actor.workspaceId, params.id, receivedAt, query.range);
    if (!delay) throw new AppError("not_found", "There is no source with that ID.");
    return delay;
  },
});

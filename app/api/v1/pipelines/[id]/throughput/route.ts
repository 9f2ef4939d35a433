import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { rangeQuery } from "#lib/contracts/events/event-times";
import { pipelineThroughput } from "#lib/contracts/views";
import { readThroughput } from "#lib/flows/views/read-board";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  cost: "heavy",
  summary: "Read a pipeline's throughput, by stage and over time",
  params: idParams,
  query: rangeQuery,
  answers: { 200: pipelineThroughput },
  example: { params: { id: "pipe_example" }, query: { range: "7d" } },
  handle: async ({ actor, params, query, receivedAt }) => {
    const throughput = await readThroughput(actor.workspaceId, params.id, receivedAt, query.range);
    if (!throughput) throw new AppError("not_found", "There is no pipeline with that ID.");
    return throughput;
  },
});

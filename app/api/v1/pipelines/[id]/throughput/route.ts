import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
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
  handle: ({ actor, params, query, receivedAt }) =>
    expectFound(readThroughput(actor.workspaceId, params.id, receivedAt, query.range), "pipeline with that ID"),
});

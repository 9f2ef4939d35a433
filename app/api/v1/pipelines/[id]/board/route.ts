import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { boardQuery, pipelineBoard } from "#lib/contracts/views";
import { readBoard, readBoardAsOf } from "#lib/flows/views/read-board";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  cost: "heavy",
  summary: "Read a pipeline's board, now or at a point in time",
  params: idParams,
  query: boardQuery,
  answers: { 200: pipelineBoard },
  example: { params: { id: "pipe_example" }, query: { order: "waiting" } },
  handle: ({ actor: { workspaceId }, params: { id }, query: { asOf, ...filter } }) =>
    asOf
      ? expectFound(readBoardAsOf(workspaceId, id, asOf, filter), "pipeline with that ID at that time")
      : expectFound(readBoard(workspaceId, id, filter), "pipeline with that ID"),
});

import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
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
  handle: async ({ actor, params, query: { asOf, ...filter } }) => {
    const board = await (asOf
      ? readBoardAsOf(actor.workspaceId, params.id, asOf, filter)
      : readBoard(actor.workspaceId, params.id, filter));
    if (!board) throw new AppError("not_found", `There is no pipeline with that ID${asOf ? " at that time" : ""}.`);
    return board;
  },
});

import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { asOfQuery, pipelineBoard } from "#lib/contracts/views";
import { readBoard } from "#lib/flows/read-board";
import { readBoardAsOf } from "#lib/flows/read-board-as-of";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** A pipeline's stages with the tasks on each, now or as of a moment. */
export const GET = defineRoute({
  operation: "views.read",
  summary: "Read a pipeline's board, now or as of a moment",
  params: idParams,
  query: asOfQuery,
  answers: { 200: pipelineBoard },
  example: { params: { id: "pipe_example" } },
  handle: async ({ actor, params, query: { asOf } }) => {
    const board = await (asOf ? readBoardAsOf(actor.workspaceId, params.id, asOf) : readBoard(actor.workspaceId, params.id));
    if (!board) throw new AppError("not_found", `The log speaks of no pipeline of that id${asOf ? " by then" : ""}.`);
    return board;
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { pipelineBoard } from "#lib/contracts/views";
import { readBoard } from "#lib/flows/read-board";
import { defineRoute } from "#lib/http/define-route";

/** A pipeline's stages with the tasks on each. */
export const GET = defineRoute({
  operation: "views.read",
  summary: "Read a pipeline's board",
  params: idParams,
  answers: { 200: pipelineBoard },
  example: { params: { id: "pipe_example" } },
  handle: async ({ actor, params }) => {
    const board = await readBoard(actor.workspaceId, params.id);
    if (!board) throw new AppError("not_found", "The log speaks of no pipeline of that id.");
    return board;
  },
});

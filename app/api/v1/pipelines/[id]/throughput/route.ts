import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { pipelineThroughput } from "#lib/contracts/views";
import { readThroughput } from "#lib/flows/read-board";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** How many tasks came to each stage, and were completed, by hour. */
export const GET = defineRoute({
  operation: "views.read",
  summary: "Read a pipeline's throughput, by stage and hour",
  params: idParams,
  answers: { 200: pipelineThroughput },
  example: { params: { id: "pipe_example" } },
  handle: async ({ actor, params, receivedAt }) => {
    const throughput = await readThroughput(actor.workspaceId, params.id, receivedAt);
    if (!throughput) throw new AppError("not_found", "The log speaks of no pipeline of that id.");
    return throughput;
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

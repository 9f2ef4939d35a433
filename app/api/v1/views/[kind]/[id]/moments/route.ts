import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
import { momentParams, viewMoments } from "#lib/contracts/views";
import { readMoments } from "#lib/flows/views/read-as-of";

/** The stops of the record's time slider. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  cost: "heavy",
  summary: "List the times at which a record may have changed",
  params: momentParams,
  answers: { 200: viewMoments },
  example: { params: { kind: "document", id: "doc_example" } },
  handle: async ({ actor, params }) => {
    const moments = await readMoments(actor.workspaceId, params.kind, params.id);
    if (moments.data.length === 0) throw new AppError("not_found", `There is no ${params.kind} with that ID.`);
    return moments;
  },
});

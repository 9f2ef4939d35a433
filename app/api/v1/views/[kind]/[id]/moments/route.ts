import { AppError } from "#lib/contracts/app-error";
import { momentParams, viewMoments } from "#lib/contracts/views";
import { readMoments } from "#lib/flows/read-as-of";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The moments at which a record may have changed: where its slider may stop. */
export const GET = defineRoute({
  operation: "views.read",
  summary: "List the moments at which a record may have changed",
  params: momentParams,
  answers: { 200: viewMoments },
  example: { params: { kind: "document", id: "doc_example" } },
  handle: async ({ actor, params }) => {
    const moments = await readMoments(actor.workspaceId, params.kind, params.id);
    if (moments.data.length === 0) throw new AppError("not_found", `The log speaks of no ${params.kind} of that id.`);
    return moments;
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
import { asOfQuery, momentParams, viewTimeline } from "#lib/contracts/views";
import { readTimeline } from "#lib/flows/views/read-timeline";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  cost: "heavy",
  summary: "List what happened to a record and what each event changed",
  params: momentParams,
  query: asOfQuery,
  answers: { 200: viewTimeline },
  example: { params: { kind: "document", id: "doc_example" } },
  handle: async ({ actor, params, query }) => {
    const timeline = await readTimeline(actor.workspaceId, params.kind, params.id, query.asOf ?? null);
    if (!timeline) throw new AppError("not_found", `There is no ${params.kind} with that ID${query.asOf ? " at that time" : ""}.`);
    return timeline;
  },
});

import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
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
  handle: ({ actor, params: { kind, id }, query: { asOf } }) =>
    expectFound(readTimeline(actor.workspaceId, kind, id, asOf ?? null), `${kind} with that ID${asOf ? " at that time" : ""}`),
});

import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { viewRebuild } from "#lib/contracts/views";
import { findRebuild, stopRebuild } from "#lib/flows/views/rebuild-views";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  summary: "Read a rebuild's progress and result",
  params: idParams,
  answers: { 200: viewRebuild },
  example: { params: { id: "reb_example" } },
  handle: ({ actor, params }) => expectFound(findRebuild(actor.workspaceId, params.id), "rebuild with that ID"),
}).and("DELETE", {
  // The records stay as they were. A rebuild that has ended is left unchanged.
  operation: "views.rebuild",
  summary: "Stop a rebuild",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "reb_example" } },
  handle: ({ context, params }) => stopRebuild(context, params.id),
});

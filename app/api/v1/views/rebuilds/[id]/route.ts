import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { viewRebuild } from "#lib/contracts/view-rebuilds";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";
import { findRebuild, requestStop } from "#lib/views/rebuild-store";

const missing = () => new AppError("not_found", "There is no rebuild of that id.");

/** How far a rebuild has come, and at its end what it found. */
export const GET = defineRoute({
  operation: "views.read",
  summary: "Read how far a rebuild has come and what it found",
  params: idParams,
  answers: { 200: viewRebuild },
  example: { params: { id: "reb_example" } },
  handle: async ({ actor, params }) => {
    const rebuild = await findRebuild(actor.workspaceId, params.id);
    if (!rebuild) throw missing();
    return rebuild;
  },
});

/** Asks it to stop; the views stay as they were. One that has ended stays as it is. */
export const DELETE = defineRoute({
  operation: "views.rebuild",
  summary: "Stop a rebuild",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "reb_example" } },
  handle: async ({ actor, params }) => {
    if (!(await requestStop(actor.workspaceId, params.id))) throw missing();
    return new Response(null, { status: 204 });
  },
});

export const { POST, PUT, PATCH, OPTIONS } = otherMethods({ GET, DELETE });

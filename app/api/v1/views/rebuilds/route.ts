import { actorName } from "#lib/auth/actor";
import { startRebuildBody, viewRebuild, viewRebuildList } from "#lib/contracts/view-rebuilds";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";
import { insertRebuild, listRebuilds } from "#lib/views/rebuild-store";

/** The latest rebuilds and checks, newest first. */
export const GET = defineRoute({
  operation: "views.read",
  summary: "List rebuilds of the views",
  answers: { 200: viewRebuildList },
  example: {},
  handle: async ({ actor }) => ({ data: await listRebuilds(actor.workspaceId), nextCursor: null }),
});

/** Starts one: 202. While another is under way, that one is answered: 200. */
export const POST = defineRoute({
  operation: "views.rebuild",
  summary: "Check the views against the log, or rebuild them from it",
  description: "With dryRun the log is folded and compared and nothing is written. One runs at a time: a second call answers the first.",
  body: startRebuildBody,
  answers: { 200: viewRebuild, 202: viewRebuild },
  example: { body: { dryRun: true } },
  handle: async ({ actor, body }) => {
    const { outcome, rebuild } = await insertRebuild(actor.workspaceId, { ...body, requestedBy: actorName(actor), runner: null });
    return Response.json(rebuild, { status: outcome === "started" ? 202 : 200 });
  },
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET, POST });

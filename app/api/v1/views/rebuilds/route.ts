import { defineRoute } from "#lib/api/define-route";
import { startRebuildBody, viewRebuild, viewRebuildList } from "#lib/contracts/views";
import { listRebuilds, requestRebuild } from "#lib/flows/views/rebuild-views";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "views.read",
  summary: "List rebuilds of the records",
  answers: { 200: viewRebuildList },
  example: {},
  handle: async ({ actor }) => ({ data: await listRebuilds(actor.workspaceId), nextCursor: null }),
}).and("POST", {
  // 202; 200 with the current rebuild if one is running.
  operation: "views.rebuild",
  summary: "Check the records against the log, or rebuild them from it",
  description:
    "With `dryRun` the log is replayed and compared, and nothing is written. One rebuild runs at a time: a second call returns the first.",
  body: startRebuildBody,
  answers: { 200: viewRebuild, 202: viewRebuild },
  example: { body: { dryRun: true } },
  handle: async ({ context, body }) => {
    const { outcome, rebuild } = await requestRebuild(context, body.dryRun);
    return Response.json(rebuild, { status: outcome === "started" ? 202 : 200 });
  },
});

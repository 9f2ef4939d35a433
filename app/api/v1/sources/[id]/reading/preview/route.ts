import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { readingPreview, readingPreviewBody } from "#lib/contracts/sources/reading-preview";
import { previewReading } from "#lib/flows/sources/try-requests";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.manage",
  cost: "heavy",
  summary: "Try a reading on received requests",
  params: idParams,
  answers: { 200: readingPreview },
  example: { params: { id: "src_other_example" }, body: { reading: { id: ["id"], type: ["type"] } } },
  body: readingPreviewBody,
  changes: "nothing",
  handle: ({ actor, params, body }) => previewReading(actor.workspaceId, sourceId.parse(params.id), body.reading),
});

import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { fieldMappingPreview, fieldMappingPreviewBody } from "#lib/contracts/sources/field-mapping";
import { previewFieldMapping } from "#lib/flows/sources/field-mapping";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.map_fields",
  cost: "heavy",
  summary: "Try a field mapping on stored events",
  params: idParams,
  answers: { 200: fieldMappingPreview },
  example: { params: { id: "src_example" }, body: { mapping: { documentId: ["file.ref"] }, type: "document.processed" } },
  body: fieldMappingPreviewBody,
  changes: "nothing",
  handle: ({ actor, params, body, receivedAt }) =>
    previewFieldMapping(actor.workspaceId, sourceId.parse(params.id), { ...body, now: receivedAt }),
});

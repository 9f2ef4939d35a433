import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { fieldMappingBody, fieldMappingChanged, sourceFieldMapping } from "#lib/contracts/sources/field-mapping";
import { changeFieldMapping, readFieldMapping } from "#lib/flows/sources/field-mapping";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "sources.read",
  summary: "Read a source's field mapping",
  params: idParams,
  answers: { 200: sourceFieldMapping },
  example: { params: { id: "src_example" } },
  handle: ({ actor, params }) => readFieldMapping(actor.workspaceId, sourceId.parse(params.id)),
}).and("PUT", {
  operation: "sources.map_fields",
  summary: "Replace a source's field mapping",
  description:
    "Each field lists payload paths that are tried before the built-in ones: `event.*` in the whole body, all others in `data`. Events that are already applied keep their values until the records are rebuilt; failed events are read with the mapping when they are re-delivered, and quarantined requests when they are released.",
  params: idParams,
  answers: { 200: fieldMappingChanged },
  example: { params: { id: "src_example" }, body: { mapping: { documentId: ["file.ref"] } } },
  body: fieldMappingBody,
  handle: ({ context, params, body }) => changeFieldMapping(context, sourceId.parse(params.id), body.mapping),
});

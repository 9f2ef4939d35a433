import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { fieldMappingSuggestions, fieldMappingSuggestionsQuery } from "#lib/contracts/sources/field-mapping";
import { suggestFieldMapping } from "#lib/flows/sources/suggest-field-mapping";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "sources.map_fields",
  cost: "heavy",
  summary: "Suggest a field mapping for failed events",
  params: idParams,
  query: fieldMappingSuggestionsQuery,
  answers: { 200: fieldMappingSuggestions },
  example: { params: { id: "src_example" } },
  handle: ({ actor, params, query, receivedAt }) =>
    suggestFieldMapping(actor.workspaceId, sourceId.parse(params.id), query.issue, receivedAt),
});
